"""What goes over the wire as JSON, typed: the state that everybody may read, and what may be asked."""
