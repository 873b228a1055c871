"""Requests for the moment: a haiku, a conversion, three rivers. Neither they nor their answers tell of the project."""

from __future__ import annotations

from memory_plugin.memory.extraction.language import Speech, straight
from memory_plugin.memory.extraction.progress import Progress
from memory_plugin.memory.extraction.words import content_words, stem

_LONGEST = 240
# After one, a message of so few characters ("another one, please") goes on with it.
_CONTINUES = 40


def begins(text: str, progress: Progress, speech: Speech) -> bool:
    """Whether the user's message is such a request, by its form and because it speaks of nothing heard before."""
    request = straight(" ".join(text.split()))
    if not 0 < len(request) <= _LONGEST:
        return False
    if not speech.errand(request):
        return progress.aside and len(request) <= _CONTINUES
    stems = {stem(word) for word in content_words(request)}
    return sum(root in progress.words for root in stems) <= len(stems) / 3
