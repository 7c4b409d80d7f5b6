# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of a framework in batches, their verdicts by operator, and the options that this
takes."""
import collections
import functools
import time

from children import judged
from tally import Tally

CASES_OF_A_BATCH = 16


def add_options(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help="only cases of these")
    parser.add_argument("--seed", type=int, help="of the first batch (default: the time)")
    parser.add_argument("--count", type=int, default=1 << 40, help="most cases")
    parser.add_argument("--seconds", type=float, default=180, help="time for all cases")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--case", type=int, metavar="NUMBER", help="only this case, with its values")


def check_names(parser, names, known):
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"no cases of {', '.join(unknown)}; there are: {', '.join(sorted(known))}")


def pick(draw, known, names):
    """One of the cases `known`, name -> (what draws it, weight)."""
    chosen = sorted(names or known)
    weights = [known[name][1] for name in chosen]
    return chosen[int(draw.rng.choice(len(chosen), p=[w / sum(weights) for w in weights]))]


class Batch:
    """Cases that are compiled as one program; of one that is refused or fails, the halves are."""

    def __init__(self, numbers):
        self.numbers, self.rows = numbers, []

    def add(self, number, name, outcome, words, about):
        self.rows.append([number, name, outcome, " ".join(words.split())[:400], about])

    def run(self, cases, attempt, culprits=lambda words, cases: []):
        """`cases`: number -> case. `attempt` compiles and launches some, and adds a row for each; it
        returns (outcome, words) if it cannot. `culprits` are the cases that words name."""
        if not cases:
            return
        failed = attempt(cases)
        if failed is None:
            return
        found = [number for number in culprits(failed[1], cases)][:1] or list(cases)
        if len(found) == 1:
            case = cases.pop(found[0])
            self.add(found[0], case.name, *failed, str(case))
            self.run(cases, attempt, culprits)
            return
        half = len(found) // 2
        for part in (found[:half], found[half:]):
            self.run({number: cases[number] for number in part}, attempt, culprits)


def run(args, judge, seconds=400):
    """Judges batches until the time or the number of cases is over; `judge` gives the rows of
    Batch for numbers of cases. Prints what is wrong, and a line for each name. 1 if something is, or if
    nothing is equal."""
    if args.case is not None:  # here, so that the case may print
        rows = judge(args, [args.case])
        for row in rows:
            print(*row)
        return int(any(row[2] == "wrong" for row in rows))
    seed = int(time.time()) % 10**6 if args.seed is None else args.seed
    print(f"--seed {seed}", flush=True)
    left = min(args.count, 10**6)
    batches = collections.deque()
    for batch in range(-(-left // CASES_OF_A_BATCH)):
        first = (seed + batch) * 100
        count = min(CASES_OF_A_BATCH, left - batch * CASES_OF_A_BATCH)
        batches.append(list(range(first, first + count)))
    tallies, until = collections.defaultdict(Tally), time.monotonic() + args.seconds
    for numbers, rows, why in judged(batches, functools.partial(judge, args), seconds, args.jobs,
                                     until):
        if rows is None and len(numbers) > 1:
            batches.extendleft([number] for number in reversed(numbers))
            continue
        for number, name, outcome, words, about in rows or [[numbers[0], "?", "wrong", why, why]]:
            tallies[name].add(outcome, words)
            if outcome == "wrong":
                print(f"wrong: --case {number}: {words} | {about}", flush=True)
    whole = Tally()
    for name, tally in sorted(tallies.items()):
        print(f"{name}: {tally.words()}")
        whole.cases += tally.cases
        whole.equal += tally.equal
        whole.wrong += tally.wrong
        whole.refused.update(tally.refused)
        whole.not_judged.update(tally.not_judged)
    print(f"all: {whole.cases} cases, {whole.equal} equal, {sum(whole.refused.values())} refused, "
          f"{len(whole.wrong)} wrong, {sum(whole.not_judged.values())} not judged")
    if not whole.equal:
        print("nothing was equal: see why it was not judged")
    return int(bool(whole.wrong) or not whole.equal)
