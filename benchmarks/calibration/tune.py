"""Searches for the numbers of the calibrator's prior (CalibrationPrior in src/calibration/constants.hpp).

    python benchmarks/calibration/tune.py [--cache FOLDER] [--program FILE] [--sets NAME,...] [--rounds N] [--seed N]

Coordinate search from the numbers that the program has: one at a time, in random order, is multiplied and divided
by a factor (of a share its odds), and the better number kept. A round without a gain takes the square root of the
factor. What is minimised is the mean log loss of the test rows, over the tasks of a data set and then over data
sets, on the tuning half of make_tasks.py alone. A gain below --least is taken for chance. Prints what was found;
it is for a person to put it into the struct, to run the tests, and `run.py --half tuning` beside it.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
from make_tasks import CACHE
from tasks import HALVES, KINDS, tasks_of

PROGRAM = Path(__file__).resolve().parents[2] / "build" / "bin" / "study_calibration_prior"

# The point estimate of the default prior depends on these; the isgp, gp and rough_ fields belong to other priors
# and to the bands. A field with three numbers is searched number by number.
SEARCHED = ("warp_knots", "asinh_width_share", "asinh_least_width", "line_slope", "line_precision", "zero_scale",
            "intercept_precision", "period", "decay", "constant_variance", "level_sd", "offset_sizes",
            "evidence_floor", "claim_share", "blurs")
SHARES = ("asinh_width_share", "claim_share", "constant_variance", "offset_sizes", "blurs")  # between 0 and 1


class Study:
    """The program with its tasks read, waiting for priors."""

    def __init__(self, program: Path, tasks: Path):
        if not program.exists():
            sys.exit(f"{program} is missing: build the project with benchmarks first")
        self.process = subprocess.Popen([program, tasks], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, changed: dict) -> tuple[dict, np.ndarray]:
        """All numbers of the prior, and the log loss of each data set; infinite where the prior cannot be."""
        self.process.stdin.write(json.dumps(changed) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("study_calibration_prior has ended")
        answer = json.loads(line)
        if "error" in answer:
            return changed, np.array([math.inf])
        return answer["prior"], np.array(answer["log_loss"])


def write_tasks(cache: Path, sets: list[str], most_rows: int, path: Path) -> int:
    """The tasks as study_calibration_prior reads them; their number."""
    count = 0
    with path.open("wb") as out:
        for number, name in enumerate(sets):
            for task in tasks_of(cache, name):
                if len(task.y) > most_rows:
                    continue
                head = np.array([number, KINDS[task.kind], len(task.y), len(task.test_y)], np.int64)
                out.write(head.tobytes())
                for values in (task.score, task.y, task.test_score, task.test_y):
                    out.write(np.asarray(values, float).tobytes())
                count += 1
    return count


def numbers(prior: dict) -> list[tuple[str, int | None]]:
    """The numbers that are searched, by field and place; a 0 stays 0."""
    found = []
    for name in SEARCHED:
        value = prior[name]
        places = range(len(value)) if isinstance(value, list) else (None,)
        found += [(name, i) for i in places if (value if i is None else value[i]) != 0]
    return found


def moved(prior: dict, name: str, place: int | None, factor: float) -> dict:
    """The prior with one number times a factor, or its odds where it is a share."""
    old = prior[name] if place is None else prior[name][place]
    new = old * factor
    if name in SHARES:
        odds = old / (1 - old) * factor
        new = odds / (1 + odds)
    if name == "warp_knots":
        new = max(2, round(new))
    if name == "period":
        new = max(1.0, new)  # less would join the ends
    if place is None:
        return prior | {name: new}
    return prior | {name: [new if i == place else value for i, value in enumerate(prior[name])]}


def search(study: Study, rounds: int, factor: float, least: float, seed: int) -> tuple[dict, dict]:
    """The numbers to begin with, and those found."""
    random = np.random.default_rng(seed)
    start, losses = study({})
    best = start
    print(f"begin: mean log loss {losses.mean():.6f}", flush=True)
    for turn in range(rounds):
        before = losses.mean()
        places = numbers(best)
        for k in random.permutation(len(places)):
            name, place = places[k]
            tried = [study(moved(best, name, place, f)) for f in (factor, 1 / factor)]
            prior, candidate = min(tried, key=lambda pair: pair[1].mean())
            if candidate.mean() < losses.mean() - least:
                gain = losses - candidate
                error = gain.std(ddof=1) / math.sqrt(len(gain)) if len(gain) > 1 else math.nan
                print(f"  {name}{'' if place is None else f'[{place}]'}: {best[name]} -> {prior[name]}, "
                      f"gain {gain.mean():.6f} +- {error:.6f} over data sets", flush=True)
                best, losses = prior, candidate
        print(f"round {turn + 1}, factor {factor:.3f}: mean log loss {losses.mean():.6f}", flush=True)
        if losses.mean() >= before:
            factor = math.sqrt(factor)
    return start, best


def main() -> None:
    """Writes the tasks, searches, prints the numbers that changed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--sets", help="names of the tuning half, with commas between; all if not given")
    parser.add_argument("--most-rows", type=int, default=10_000, help="of a task")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--factor", type=float, default=1.6)
    parser.add_argument("--least", type=float, default=2e-6, help="gain in mean log loss that is kept")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sets = options.sets.split(",") if options.sets else list(HALVES["tuning"])
    if unknown := set(sets) - set(HALVES["tuning"]):
        sys.exit(f"not in the tuning half: {', '.join(sorted(unknown))}")
    tasks = options.cache / "prior.tasks"
    print(f"{write_tasks(options.cache, sets, options.most_rows, tasks)} tasks of {len(sets)} data sets", flush=True)
    start, best = search(Study(options.program, tasks), options.rounds, options.factor, options.least, options.seed)
    for name in SEARCHED:
        if best[name] != start[name]:
            print(f"{name}: {start[name]} -> {best[name]}")


if __name__ == "__main__":
    main()
