"""Warnings where a user sees what they are about."""

import sys
import warnings


def warn(text, category=UserWarning):
    """A warning at the line that called the package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("linkgistic."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
