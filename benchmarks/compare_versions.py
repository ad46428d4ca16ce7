"""Two versions of the program in one run: how much time the second takes compared with the first.

    python benchmarks/compare_versions.py OLD NEW [--data FOLDER] [--runs 9] [--only WORD]

OLD and NEW are programs, or commits that are built first, in folders of their own. Runs alternate; told is the median of
the ratios new / old of runs that follow each other, by the clock and by processor seconds, with the quartiles. FOLDER has
fmnist/*.gz (default: LINKGISTIC_DATA); without it the image rows are left out.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np


def build(version, scratch):
    """The program of a commit."""
    if os.access(version, os.X_OK) and os.path.isfile(version):
        return version
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(scratch) / version.replace("/", "_")
    subprocess.run(["git", "worktree", "add", "--detach", "--quiet", str(folder), version], cwd=root, check=True)
    try:
        subprocess.run(["cmake", "--preset", "default", "-DLINKGISTIC_BUILD_TESTS=OFF", "--log-level=WARNING"],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "--preset", "default"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        program = pathlib.Path(scratch) / f"linkgistic-{folder.name}"
        (folder / "build" / "linkgistic").rename(program)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=root, check=True)
    return str(program)


def write_rows(path, columns):
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="",
               fmt="%.8g")


def make_data(scratch):
    random = np.random.default_rng(1)
    for n in (10**6, 10**7):
        x = random.uniform(-2, 2, n)
        np.save(f"{scratch}/regress{n}.npy", np.column_stack([x, np.tanh(x) + 0.3 * random.normal(size=n)]))
    for n in (2000, 10**6):
        score = random.normal(size=n)
        label = random.uniform(size=n) < 1 / (1 + np.exp(-2 * score))
        write_rows(f"{scratch}/scores{n}.csv", {"score": score, "label": label})
    x = random.normal(size=(10**6, 50))
    label = random.uniform(size=10**6) < 1 / (1 + np.exp(-x[:, :5].sum(axis=1)))
    names = {f"x{j}": x[:, j] for j in range(50)}
    write_rows(f"{scratch}/rows.csv", {**names, "label": label})
    write_rows(f"{scratch}/few.csv", {**{k: v[:5000] for k, v in names.items()}, "label": label[:5000]})
    write_rows(f"{scratch}/binary.csv", {**{k: v[:60000] for k, v in names.items()}, "label": label[:60000]})


def cases(scratch, data):
    """Name and arguments of each; {model} is a file of the run's own."""
    out = ["--model", "{model}"]
    if data:
        images = ["classify", f"{data}/fmnist/train-images-idx3-ubyte.gz", "--labels",
                  f"{data}/fmnist/train-labels-idx1-ubyte.gz"]
        yield "Fashion, isgp, l2 10", [*images, "--prior", "isgp", "--l2", "10", *out]
        yield "Fashion, isgp, l2 auto", [*images, "--prior", "isgp", "--l2", "auto", *out]
    yield "classify 60,000 x 50, all chosen", ["classify", f"{scratch}/binary.csv", "--label", "label", *out]
    yield "classify 5,000 x 50, all chosen", ["classify", f"{scratch}/few.csv", "--label", "label", *out]
    for n in (10**6, 10**7):
        yield f"regress {n:,}", ["regress", f"{scratch}/regress{n}.npy", "--x", "0", "--y", "1", *out]
    for n in (2000, 10**6):
        yield f"calibrate {n:,}", ["calibrate", f"{scratch}/scores{n}.csv", "--score", "score", "--label", "label", *out]
    yield "predict 10^6 x 50", ["predict", "{classifier}", f"{scratch}/rows.csv", "-o", "{model}"]


def run(program, arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    result = subprocess.run([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wall = time.perf_counter() - start
    if result.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)}\n{result.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--data", default=os.environ.get("LINKGISTIC_DATA"))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        programs = [build(arguments.old, scratch), build(arguments.new, scratch)]
        make_data(scratch)
        classifiers = []
        for i, program in enumerate(programs):
            classifiers.append(f"{scratch}/classifier{i}.json")
            run(program, ["classify", f"{scratch}/few.csv", "--label", "label", "--l2", "1", "--model", classifiers[-1]])
        print(f"{'':36s}{'old s':>8s}{'new s':>8s}   by the clock (quartiles)   processor seconds (quartiles)")
        for name, command in cases(scratch, arguments.data):
            if arguments.only not in name:
                continue
            times = [[], []]
            for _ in range(arguments.runs):
                for i, program in enumerate(programs):
                    filled = [a.format(model=f"{scratch}/model{i}", classifier=classifiers[i]) for a in command]
                    times[i].append(run(program, filled))
            row = ""
            for what in (0, 1):
                ratios = sorted(n[what] / o[what] for o, n in zip(*times))
                low, middle, high = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else ratios * 3
                row += f"   {middle:6.3f} ({low:.3f} to {high:.3f})"
            old, new = (statistics.median(t[0] for t in side) for side in times)
            print(f"{name:36s}{old:8.3f}{new:8.3f}{row}", flush=True)


if __name__ == "__main__":
    main()
