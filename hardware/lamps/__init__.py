"""Status light, seat lamps and light ring: their patterns as data, and the pins they sit on."""
