"""Hook pre_compact: see memory_plugin/memory/hooks.py."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memory_plugin.memory.hooks import run

run("pre_compact", deadline=25)
