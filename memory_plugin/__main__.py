"""Run as a file by the launcher (`python -I memory_plugin/__main__.py`), so that no other folder is searched."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from memory_plugin.cli import main

main(prog_name="memory-plugin")
