"""A picture before anybody looks for dice: loaded, brought to a size, its colours, whether it is whole."""
