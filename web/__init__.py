"""The page: server-rendered screens, the JSON API and live updates for every phone at the table."""

from web.app import create_app
from web.deps import WebDeps
from web.server import open_server

__all__ = ["WebDeps", "create_app", "open_server"]
