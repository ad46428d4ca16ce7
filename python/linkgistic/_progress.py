"""Progress of a fit, on a terminal."""

import sys
import time
from contextlib import contextmanager
from numbers import Integral

import numpy as np

PROGRESS_PARAMETERS = (
    ("verbose", "int", "1: show progress (with tqdm if it is installed)."),
    (
        "callback",
        "callable",
        "Called with a dict (phase, step, of, objective, seconds) after every step. A KeyboardInterrupt that it raises "
        "ends the fit as Ctrl-C does.",
    ),
)


@contextmanager
def progress_callback(verbose, callback):
    """A function for the library to call after each step of a fit, or None."""
    if not (callback is None or callable(callback)):
        raise TypeError(f"callback = {callback!r}: it must be callable or None")
    if not isinstance(verbose, (bool, np.bool_, Integral)):
        raise TypeError(f"verbose = {verbose!r}: it must be a whole number")
    if verbose < 0:
        raise ValueError(f"verbose = {verbose!r}: it must not be negative")
    if not verbose:
        yield callback
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    bar = tqdm(unit="step") if tqdm else None

    def tell(progress):
        of = f" of at most {progress['of']}" if progress["of"] else ""
        objective = f", objective {progress['objective']:.6g}" if progress["objective"] else ""
        text = f"{progress['phase']}: step {progress['step']}{of}{objective}"
        if bar is None:
            print(text, file=sys.stderr)
        else:
            bar.set_description_str(text, refresh=False)
            bar.update()
        if callback is not None:
            callback(progress)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.close()


class Steps:
    """The steps of a fit that are counted here and not in the library, told in its words."""

    def __init__(self, told):
        self._told = told
        self._start = time.perf_counter()

    def tell(self, phase, step, of):
        """One more step is finished."""
        self.pass_on({"phase": phase, "step": step, "of": of, "objective": 0.0})

    def pass_on(self, progress):
        """A step of a fit within this one, with the seconds of this one."""
        if self._told is not None:
            self._told({**progress, "seconds": time.perf_counter() - self._start})
