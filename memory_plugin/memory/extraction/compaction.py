"""What of the client's compaction summary tells of the project.

The client asks for numbered sections, always titled in English (seen in 1.0 to 2.1). One of them repeats what the user
said, which stands in the conversation itself.
"""

from __future__ import annotations

import re

from memory_plugin.memory.extraction.pattern import Pattern

_SECTION = Pattern(r"(?m)^(?=\s{0,3}(?:#{1,4} |\*\*)?\d{1,2}\. (?:\*\*)?[A-Z][\w ,/&-]{3,60}(?:\*\*)?:?(?:\*\*)?\s*$)")
_REPEATS_THE_USER = Pattern(r"[\s#*\d.]*all user messages\b", re.IGNORECASE)


def told(summary: str) -> str:
    """A summary without the section that repeats the user."""
    return "".join(section for section in _SECTION.split(summary) if not _REPEATS_THE_USER.match(section))
