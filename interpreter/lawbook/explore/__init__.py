"""Exploration: every auction that can be reached under an edition, or under two side by side."""
