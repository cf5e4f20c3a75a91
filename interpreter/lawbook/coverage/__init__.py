"""Coverage: what the examples show of each clause and condition, and why they do not show the rest."""
