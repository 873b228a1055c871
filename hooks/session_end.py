"""SessionEnd: see memory_plugin/memory/hooks.py. Exit code 0, whatever happens."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    try:
        from memory_plugin.memory import doorbell

        doorbell.answer("session_end", deadline=1.2, patience=0.5)
    except BaseException:
        os._exit(0)
    os._exit(0)
