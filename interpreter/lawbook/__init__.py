"""Lawbook: the laws of auction bridge as data, ruled on and compared edition by edition."""

__version__ = "0.1.0"
