#!/usr/bin/env python3
"""Puts other tuners' optimizers beside Hone's strategies: the same recorded spaces, the same trials, the same scores.

    python3 -m venv venv && venv/bin/pip install kernel-tuner pyatf
    venv/bin/python compare.py --spaces spaces --hone-search build/release/runtime/tools/hone-search \
        --hone auto --kernel-tuner dual_annealing --pyatf SimulatedAnnealing

Neither built nor run by anything else. A trial is a configuration that was not tried before, a failed one included; no
tuner is told of a default, and each has its own default settings.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time

import contenders
from replay import RecordedSpace, fraction, normalised_score

LOOKED_AT = (25, 50, 100, 200)


def show(progress):
    """Rewrites the line on a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)


def searches(search, name, space, trials, seeds):
    """The courses of all seeds, and the seconds that one search took."""
    start = time.perf_counter()
    courses = [search(name, space, trials, seed) for seed in range(1, seeds + 1)]
    return courses, (time.perf_counter() - start) / seeds


def contest(arguments):
    entries = [("hone", name, contenders.hone(arguments.hone_search)) for name in arguments.hone]
    entries += [("kernel-tuner", name, contenders.kernel_tuner) for name in arguments.kernel_tuner]
    entries += [("pyatf", name, contenders.pyatf) for name in arguments.pyatf]
    return entries


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spaces", type=pathlib.Path, required=True, help="a folder of recorded spaces")
    parser.add_argument("--space", action="append", help="only this one; may be repeated")
    parser.add_argument("--hone-search", default="hone-search", help="the program")
    parser.add_argument("--hone", action="append", default=[], metavar="STRATEGY")
    parser.add_argument("--kernel-tuner", action="append", default=[], metavar="STRATEGY")
    parser.add_argument("--pyatf", action="append", default=[], metavar="TECHNIQUE")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--trials", type=int, default=220, help="of a search; P0 needs as many as its window is long")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def main():
    arguments = parse()
    files = sorted(arguments.spaces.glob("*.csv.gz")) + sorted(arguments.spaces.glob("*.csv"))
    spaces = [RecordedSpace(file) for file in files if not arguments.space or file.name.split(".")[0] in arguments.space]
    looked_at = [trials for trials in LOOKED_AT if trials <= arguments.trials]
    figures = {}
    print(f"{len(spaces)} spaces, {arguments.seeds} seeds, {arguments.trials} trials; fraction of the optimum")
    print(f"{'':36}" + "".join(f"{trials:>8}" for trials in looked_at) + f"{'P0':>8}{'s/search':>10}")
    for tuner, name, search in contest(arguments):
        by_space, seconds = {}, []
        for space in spaces:
            show(f"{tuner} {name}: {space.name}")
            courses, duration = searches(search, name, space, arguments.trials, arguments.seeds)
            seconds.append(duration)
            by_space[space.name] = {f"f{trials}": fraction(space, courses, trials) for trials in looked_at}
            by_space[space.name]["p0"] = normalised_score(space, courses)
        show("")
        overall = {key: statistics.mean(space[key] for space in by_space.values()) for key in
                   (f"f{trials}" for trials in looked_at)}
        scores = [space["p0"] for space in by_space.values() if space["p0"] is not None]
        overall["p0"] = statistics.mean(scores) if scores else None
        figures[f"{tuner} {name}"] = {"overall": overall, "spaces": by_space}
        cells = "".join(f"{overall[f'f{trials}']:8.3f}" for trials in looked_at)
        cells += "       -" if overall["p0"] is None else f"{overall['p0']:8.3f}"
        print(f"{tuner + ' ' + name:36}{cells}{statistics.mean(seconds):10.2f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps({"seeds": arguments.seeds, "trials": arguments.trials, **figures}, indent=2))


if __name__ == "__main__":
    main()
