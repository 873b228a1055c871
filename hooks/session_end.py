"""Hook session_end: see memory_plugin/memory/hooks.py."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memory_plugin.memory.hooks import run

run("session_end", deadline=1.2)
