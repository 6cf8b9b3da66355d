"""What the box's camera and the phones take, and when."""
