"""Checks beyond types: what reads well and fits together, and still is probably not meant."""
