"""Publishes the table to programs outside the box: by MQTT, by a webhook, as metrics."""
