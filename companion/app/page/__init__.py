"""What the web page and programs outside are handed."""
