"""The JSON API: state, commands, pictures, exports, and the document that describes them."""
