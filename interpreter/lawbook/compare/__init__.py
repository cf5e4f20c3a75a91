"""Comparison of editions: one auction under several, and their laws topic by topic."""
