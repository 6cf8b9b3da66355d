"""Status light, seat lamps, light ring and buzzer: their patterns as data, and the pins they sit on."""
