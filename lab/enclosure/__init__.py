"""A parametric enclosure to print: solids, drawings and pictures. For makers; not in the wheel."""
