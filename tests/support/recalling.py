"""What the tests of recall share."""

from __future__ import annotations

from datetime import datetime

NOW = datetime(2026, 12, 1, 9, 30)
