"""Pages: reports as HTML files of their own, with nothing outside them and no script."""
