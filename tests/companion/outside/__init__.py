"""What leaves the box: events, MQTT, webhook, metrics, the club."""
