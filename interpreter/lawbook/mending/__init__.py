"""Mending: from what is wrong in a file to the edits that put it right.

`fixes` finds them, `expressions` those of conditions and effects, `apply` carries them out. Nothing but the stretches
that an edit names is touched, so remarks and spacing stay as they are.
"""

from lawbook.mending.apply import Mended, mend
from lawbook.mending.fixes import fixes_of, with_fixes

__all__ = ["Mended", "fixes_of", "mend", "with_fixes"]
