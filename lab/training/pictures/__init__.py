"""What the nets learn from: crops painted, rendered and cut out of photographs."""
