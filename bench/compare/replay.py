"""Recorded spaces, and the scores of searches on them: the same as bench/search_quality/{replay,scores}.h."""

import csv
import gzip
import statistics


class RecordedSpace:
    """A table of measured configurations; times in ms, None where a configuration failed."""

    def __init__(self, path):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
            rows = csv.reader(file)
            header = next(rows)
            self.names = header[: header.index("time_ms")]
            count = len(self.names)
            self.times = {tuple(map(int, row[:count])): float(row[count]) if row[count] else None for row in rows}
        self.name = path.name.split(".")[0]
        self.path = path
        self.values = [sorted({configuration[p] for configuration in self.times}) for p in range(count)]
        self.ascending = sorted(time for time in self.times.values() if time is not None)

    def baseline(self, trials):
        """What random search without replacement has found after so many trials."""
        index = round((len(self.times) + 1) / (trials + 1) - 1)
        return self.ascending[min(max(index, 0), len(self.ascending) - 1)]

    def scoring_budget(self):
        optimum = self.ascending[0]
        goal = optimum + 0.05 * (statistics.median(self.ascending) - optimum)
        trials = 1
        while self.baseline(trials) > goal:
            trials += 1
        return trials


class Enough(Exception):
    """As many configurations were tried as a search may try."""


class Course:
    """What a search has found after each trial. A trial is a configuration that was not tried before: what a tuner keeps
    in a cache of its own costs it nothing."""

    def __init__(self, space, trials):
        self.space, self.trials = space, trials
        self.best = []
        self._tried = set()

    def measure(self, configuration):
        """The time of a configuration, or None. Raises Enough for the first one too many."""
        time = self.space.times[configuration]
        if configuration not in self._tried:
            if len(self.best) == self.trials:
                raise Enough
            self._tried.add(configuration)
            before = self.best[-1] if self.best else self.space.ascending[-1]
            self.best.append(before if time is None else min(before, time))
        return time

    def finished(self):
        """One time for each trial; where the search ended early, its last."""
        last = self.best[-1] if self.best else self.space.ascending[-1]
        return self.best + [last] * (self.trials - len(self.best))


def fraction(space, courses, trials):
    return statistics.mean(space.ascending[0] / best[trials - 1] for best in courses)


def normalised_score(space, courses):
    """P0; None if the searches are shorter than its window, or the window is shorter than 20 trials."""
    budget, optimum = space.scoring_budget(), space.ascending[0]
    if budget < 20 or budget > len(courses[0]):
        return None
    scores = []
    for trials in range(1, budget + 1):
        baseline = space.baseline(trials)
        if baseline <= optimum:
            break
        scores.append((baseline - statistics.mean(best[trials - 1] for best in courses)) / (baseline - optimum))
    return statistics.mean(scores)
