"""The buzzer."""
