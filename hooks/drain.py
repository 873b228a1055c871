"""Started detached by the hooks: flush every transcript that is owed, then those of a folder.

drain.py [FOLDER [PROJECT]]
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    from memory_plugin.memory import places, spool
    from memory_plugin.memory.log import log

    try:
        spool.drain(places.state_folder(), *[argument or None for argument in sys.argv[1:3]])
    except Exception as error:
        log(f"drain: {type(error).__name__}: {error}")
