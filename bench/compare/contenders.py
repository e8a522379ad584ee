"""Searches of several tuners on a recorded space. Each is called with (name, space, trials, seed) and returns the best
time after each trial; whatever else a tuner prints is dropped."""

import contextlib
import io
import json
import os
import random
import subprocess
import tempfile
import warnings

from replay import Course, Enough


def hone(program):
    """hone-search, over its standard input and output."""

    def search(strategy, space, trials, seed):
        course = Course(space, trials)
        command = [program, "--space", str(space.path), "--strategy", strategy, "--seed", str(seed)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

            def answer(request):
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
                reply = json.loads(process.stdout.readline())
                if "error" in reply:
                    raise RuntimeError(f"hone-search: {reply['error']}")
                return reply

            while len(course.best) < trials:
                wanted = answer({"ask": 1})["ask"]
                if not wanted:
                    break
                time = course.measure(tuple(wanted[0][name] for name in space.names))
                answer({"tell": wanted[0], "cost": time})
            process.stdin.close()
        return course.finished()

    return search


def kernel_tuner(strategy, space, trials, seed):
    """Kernel Tuner's optimizers in its simulation mode, on a cache file made of the space."""
    import numpy
    from constraint import FunctionConstraint
    from kernel_tuner import tune_kernel

    random.seed(seed)
    numpy.random.seed(seed)
    course = Course(space, trials)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the kernel, of which there is none, has no arguments
        cache = os.path.join(folder, "cache.json")
        with open(cache, "w") as file:
            json.dump(_kernel_tuner_cache(space), file)
        results, _ = tune_kernel(
            "kernel", "__global__ void kernel() {}", 1, [],
            dict(zip(space.names, map(list, space.values))),
            restrictions=[FunctionConstraint(lambda *values: values in space.times)],
            strategy=strategy, strategy_options={"max_fevals": trials},
            cache=cache, simulation_mode=True, quiet=True, verbose=False, lang="CUDA", iterations=1,
            seed=seed,
        )
    # In the order in which they were tried.
    with contextlib.suppress(Enough):
        for result in results:
            course.measure(tuple(result[name] for name in space.names))
    return course.finished()


def _kernel_tuner_cache(space):
    def entry(configuration, time):
        row = dict(zip(space.names, configuration))
        row["time"] = "RuntimeFailedConfig" if time is None else time
        row["times"] = [] if time is None else [time]
        for duration in ("compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"):
            row[duration] = 0.0
        row["timestamp"] = "2026-01-01 00:00:00.000000+00:00"
        return row

    return {
        "device_name": "recorded", "kernel_name": "kernel", "problem_size": 1,
        "tune_params_keys": space.names, "tune_params": dict(zip(space.names, space.values)), "objective": "time",
        "cache": {",".join(map(str, c)): entry(c, time) for c, time in space.times.items()},
    }


def pyatf(technique, space, trials, seed):
    """pyATF's search techniques. Its constraints read parameters in the order of declaration: each allows what some row
    begins with."""
    from pyatf import TP, Set, Tuner, search_techniques
    from pyatf.tuning_data import CostFunctionError

    random.seed(seed)
    course = Course(space, trials)

    def parameter(p):
        beginnings = {configuration[: p + 1] for configuration in space.times}
        names = ", ".join(space.names[: p + 1])
        # It finds out from the names of a constraint's arguments what it reads.
        constraint = eval(f"lambda {names}: ({names},) in beginnings", {"beginnings": beginnings})
        return TP(space.names[p], Set(*space.values[p]), constraint)

    def cost(configuration):
        time = course.measure(tuple(configuration[name] for name in space.names))
        if time is None:
            raise CostFunctionError("failed")
        return time

    tuner = Tuner().verbosity(0).tuning_parameters(*map(parameter, range(len(space.names))))
    tuner.search_technique(getattr(search_techniques, technique)())
    most_evaluations = 50 * trials  # those of configurations that were tried before included
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Enough):
        for _ in range(most_evaluations):
            tuner.make_step(cost)
    return course.finished()
