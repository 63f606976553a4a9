"""Embedders, a file each: by packages that bring their model, by an endpoint, and by hashing."""
