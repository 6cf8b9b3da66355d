"""The page: server-rendered screens, the JSON API and live updates for every phone at the table."""
