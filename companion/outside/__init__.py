"""What programs outside the box are told of the table: by MQTT, by a webhook, as metrics."""
