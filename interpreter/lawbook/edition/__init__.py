"""From files to a resolved, typed edition."""
