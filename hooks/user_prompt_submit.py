"""UserPromptSubmit: hand standard input to the resident service as it came, print its answer as it came.

This runs before every prompt, so it imports next to nothing (json alone would double its time), parses nothing,
and is over after two seconds whatever happens. Exit code 0, nothing on standard error.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    try:
        from memory_plugin.memory import doorbell

        doorbell.answer_prompt()
    except BaseException:
        os._exit(0)
    os._exit(0)
