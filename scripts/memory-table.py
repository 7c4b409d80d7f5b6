#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device memory of models: what is planned, what bounds it, what others would take.

Usage: memory-table.py [--run PATH] [--device D] [--networks DIR] [--arena PYTHON]
                       [--check] [--json FILE] [--update-docs FILE] [MODEL...]

MODEL is MLIR text or bytecode; without one, every model of test/models, and the
networks NAME.mlirbc of --networks (benchmarks/generate.py writes them). Each is
compiled, and what follows is computed from the text of the recipe alone:

  workspace       planned bytes
  bound           bytes of workspace live at most in the order of the commands;
                  no plan for that order has less
  program order   live at most in the order of the program (the compiler's word)
  plain           what a planner takes that knows no alias: each value, view and
                  slice has a buffer of its own, in the order of the program,
                  at the lowest address that is free
  copies          transfers that remain of copies, concatenations and updates of
                  slices (transposes and broadcasts move for the sake of it),
                  their bytes, and how many have no reason in the recipe's record,
                  which is found by the location
  persistent      bytes of inputs, states and outputs; `extra` is what they have
                  beyond one copy of each input and state, and of each output
                  that replaces no state
  states moved    bytes that copies and updates of slices move of the states that
                  they write: those of the slice, if it is written in place

Training steps get their weights and moments as state (--state), by position.
--arena adds what ONNX Runtime's arena takes for a network; PYTHON is that of
build/benchmarks/venv. --check fails if a row misses its condition: workspace at
most 1.02 times the bound, chosen order at most program order, no copy without a
reason, no extra persistent bytes, no state that is moved as a whole.
--update-docs replaces the table between `<!-- memory: begin -->` and `end`.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALIGNMENT = 128
SIZES = {"f32": 4, "bf16": 2, "f16": 2, "f8E4M3FN": 1, "f8E5M2": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2,
         "i32": 4, "u32": 4, "i64": 8, "i1": 1}
TENSOR = re.compile(r'tensor %(\d+) "((?:[^"\\]|\\.)*)" (\w+) @(\d+)\+(\d+) (\w+)\[([\d,]*)\]'
                    r'(?: strides\[([\d,]*)\])?(?: perm\[[\d,]*\])?(?: alias %(\d+))?')
COMMAND = re.compile(r'  #(\d+) (\w+) "((?:[^"\\]|\\.)*)" (.*?)\(([%\d, ]*)\) -> \(([%\d, ]*)\)(.*)')
MOVES = re.compile("(^|[.])(copy|concat|insert_slice|dynamic_update_slice|scatter|scatter_rows|pad)$")
ENTRY = re.compile(r'entry "((?:[^"\\]|\\.)*)" \(([%\d, ]*)\) -> \(([%\d, ]*)\)')


def aligned(size):
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


def ids_of(text):
    return [int(word[1:]) for word in text.split(", ") if word]


class Tensor:
    def __init__(self, match):
        number, self.name, self.kind, section, offset, element, sizes, strides, alias = match.groups()
        self.section, self.begin = int(section), int(offset)
        self.sizes = [int(size) for size in sizes.split(",")] if sizes else []
        count, dense = 1, []
        for size in reversed(self.sizes):
            dense.insert(0, count)
            count *= size
        strides = [int(stride) for stride in strides.split(",")] if strides else dense
        self.element, self.bytes = element, count * SIZES[element]
        last = sum((size - 1) * stride for size, stride in zip(self.sizes, strides))
        self.end = self.begin + ((last + 1) * SIZES[element] if count else 0)
        self.alias = int(alias) if alias else None


class Command:
    def __init__(self, match):
        _, self.engine, self.name, body, inputs, outputs, rest = match.groups()
        self.kind = body.split()[0] if body.strip() else ""
        self.inputs, self.outputs = ids_of(inputs), ids_of(outputs)
        moved = re.search(r" bytes (\d+)", rest)
        self.bytes = int(moved.group(1)) if moved else 0
        location = re.search(r" loc (\d+)", rest)
        self.location = int(location.group(1)) if location else 0
        self.is_copy = self.kind == "transfer" and not self.name.endswith(("transpose", "broadcast", "pad", "reverse"))


class Recipe:
    """What the text of a recipe says about memory."""

    def __init__(self, text):
        self.tensors, self.entries, self.sections = [], [], {}
        self.record = {}  # of the fullest entry
        for line in text.splitlines():
            if match := TENSOR.match(line):
                self.tensors.append(Tensor(match))
            elif match := ENTRY.match(line):
                self.entries.append((match.group(1), ids_of(match.group(2)), ids_of(match.group(3)), []))
            elif match := COMMAND.match(line):
                self.entries[-1][3].append(Command(match))
            elif match := re.match(r"section @(\d+) (\w+) (\d+) bytes", line):
                self.sections[int(match.group(1))] = (match.group(2), int(match.group(3)))
            elif match := re.match(r'memory "((?:[^"\\]|\\.)*)"(.*)\{', line):
                peaks = dict(re.findall(r"(\w+) (-?\d+)", match.group(2)))
                if int(peaks.get("planned", 0)) >= int(self.record.get("planned", -1)):
                    self.record = {key: int(value) for key, value in peaks.items()}
        self.reasons = {int(location) for location in re.findall(r'^  copy ".* loc (\d+)$', text, re.M)}
        for tensor in range(len(self.tensors)):
            root = tensor
            while self.tensors[root].alias is not None:
                root = self.tensors[root].alias
            self.tensors[tensor].root = root

    def section_bytes(self, kind):
        return sum(size for name, size in self.sections.values() if name == kind)

    def kind_of_root(self, tensor):
        return self.tensors[self.tensors[tensor].root].kind

    def bound(self):
        """Live bytes at the fullest command, results that reuse a buffer counted once."""
        most = 0
        for _, _, _, commands in self.entries:
            first, last = {}, {}
            for number, command in enumerate(commands):
                for tensor in command.inputs + command.outputs:
                    root = self.tensors[tensor].root
                    if self.tensors[root].kind == "workspace":
                        first.setdefault(root, number)
                        last[root] = number
            starting, ending = {}, {}
            for root in first:
                starting.setdefault(first[root], []).append(root)
                ending.setdefault(last[root], []).append(root)
            live = set()
            for number in range(len(commands)):
                live.update(starting.get(number, ()))
                if number in starting:
                    spans = sorted((self.tensors[root].begin, aligned(self.tensors[root].end)) for root in live)
                    total = reached = 0
                    for begin, end in spans:
                        total += max(0, end - max(begin, reached))
                        reached = max(reached, end)
                    most = max(most, total)
                live.difference_update(ending.get(number, ()))
        return most

    def plain(self):
        """First fit in order, each value with a buffer of its own: no views, no reuse, no windows."""
        most = 0
        for _, _, outputs, commands in self.entries:
            first, last, whole = {}, {}, {}  # by tensor; of roots that parts make: their parts
            for number, command in enumerate(commands):
                for tensor in command.outputs:
                    root = self.tensors[tensor].root
                    first.setdefault(tensor, number)
                    last[tensor] = max(last.get(tensor, 0), number)
                    if root != tensor:
                        whole.setdefault(root, set()).add(tensor)
                for tensor in command.inputs:
                    root = self.tensors[tensor].root
                    if tensor not in first:
                        # A view is a copy of its root, a root one of its parts, made for the reader.
                        first[tensor] = number
                        for source in [root, *whole.get(root, ())]:
                            if source != tensor and source in first:
                                last[source] = max(last[source], number)
                    last[tensor] = number
            # What replaces a state is copied to it at the end.
            for tensor in first:
                if self.tensors[tensor].kind != "state" and self.kind_of_root(tensor) == "state":
                    last[tensor] = len(commands)
            wanted = []
            for tensor in first:
                kind = self.tensors[tensor].kind
                own = kind == "workspace" or (kind == "output" and self.kind_of_root(tensor) == "state")
                if own and self.kind_of_root(tensor) not in ("const", "input"):
                    wanted.append((first[tensor], last[tensor], aligned(self.tensors[tensor].bytes)))
            most = max(most, first_fit(sorted(wanted)))
        return most

    def copies(self):
        """Number and bytes of those that remain, and how many have no reason in the record."""
        found = [command for _, _, _, commands in self.entries for command in commands if command.is_copy]
        return (len(found), sum(self.tensors[command.outputs[0]].bytes for command in found),
                sum(command.location not in self.reasons for command in found))

    def extra_persistent(self):
        roots = [tensor for number, tensor in enumerate(self.tensors)
                 if tensor.root == number and tensor.kind in ("input", "state", "output")]
        needed = sum(aligned(max(tensor.bytes, 1)) for tensor in roots)
        # An output of its own beside a donated input of its type would be a second copy.
        return self.section_bytes("persistent") - needed

    def states_moved(self):
        """Bytes that commands move that write states without computing, and the bytes of those states."""
        moved, written = 0, set()
        for _, _, _, commands in self.entries:
            for command in commands:
                states = {self.tensors[tensor].root for tensor in command.outputs
                          if self.kind_of_root(tensor) == "state"}
                written |= states
                if states and (command.kind == "transfer" or MOVES.search(command.name)):
                    moved += command.bytes
        return moved, sum(self.tensors[root].bytes for root in written)


def first_fit(wanted):
    """The peak of (first, last, size) by first, each at the lowest address that is free."""
    live, peak = [], 0  # (begin, end, last) by address
    for first, last, size in wanted:
        live = [buffer for buffer in live if buffer[2] >= first]
        at, place = 0, 0
        for place, (begin, end, _) in enumerate(live + [(1 << 62, 0, 0)]):
            if begin - at >= size:
                break
            at = max(at, end)
        live.insert(place, (at, at + size, last))
        peak = max(peak, at + size)
    return peak


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError((done.stderr or done.stdout).strip().splitlines()[-1])
    return done.stdout


def compiled(args, model, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "recipe")
        run([args.run, model, "--lift-elided", "--device=" + args.device, "--compile-only", "-o", path, *options])
        return Recipe(run([args.run, path, "--dump"]))


def training_states(recipe):
    """IN=OUT of each output and the next input of its type."""
    _, inputs, outputs, _ = recipe.entries[0]
    pairs, at = [], 0
    for result in outputs:
        b = recipe.tensors[result]
        same = [i for i in range(at, len(inputs)) if recipe.tensors[inputs[i]].sizes == b.sizes
                and recipe.tensors[inputs[i]].element == b.element]
        if same:
            pairs.append(f"{recipe.tensors[inputs[same[0]]].name}={b.name}")
            at = same[0] + 1
    return pairs


def row_of(args, name, model):
    recipe = compiled(args, model)
    hasStates = any(tensor.kind == "state" for tensor in recipe.tensors)
    if "train_step" in model and not hasStates:
        recipe = compiled(args, model, *("--state=" + pair for pair in training_states(recipe)))
    count, copied, unexplained = recipe.copies()
    moved, states = recipe.states_moved()
    row = {"model": name, "workspace": recipe.section_bytes("workspace"), "bound": recipe.bound(),
           "program_order": recipe.record.get("program_order", -1), "order": recipe.record.get("order", -1),
           "plain": recipe.plain(), "copies": count, "copied": copied,
           "unexplained": unexplained, "persistent": recipe.section_bytes("persistent"),
           "extra": recipe.extra_persistent(), "state_moved": moved, "states": states}
    network = name.removesuffix(".mlirbc")
    if args.arena and model.endswith(".mlirbc") and "-" + network.split("-")[-1] not in ("-bf16", "-linalg",
                                                                                        "-stablehlo"):
        done = subprocess.run([args.arena, "-m", "harness.arena", network], capture_output=True, text=True,
                              cwd=os.path.join(ROOT, "benchmarks"))
        if done.returncode == 0:
            row["arena"] = json.loads(done.stdout.splitlines()[-1])["arena"]
    return row


def name_of(path):
    home, file = os.path.basename(os.path.dirname(os.path.abspath(path))), os.path.basename(path)
    stem = file.removesuffix(".mlir").removesuffix(".generic")
    return file if stem == file else home if stem in ("lifted", "generic") else f"{home}/{stem}"


def models(args):
    if args.models:
        return [(name_of(path), path) for path in args.models]
    found = [os.path.join(folder, file)
             for folder, _, files in sorted(os.walk(os.path.join(ROOT, "test", "models")))
             for file in sorted(files) if file.endswith(".mlir")]
    if args.networks:
        found += [os.path.join(args.networks, file) for file in sorted(os.listdir(args.networks))
                  if file.endswith(".mlirbc")]
    return [(name_of(path), path) for path in found]


def size_text(size):
    if size < 0:
        return ""
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} B"


def table(rows):
    hasArena = any("arena" in row for row in rows)
    lines = ["| model | workspace | of the bound | program order | plain planner | plain / ours | copies | "
             "persistent | states: moved of |" + (" ONNX Runtime's arena |" if hasArena else ""),
             "|---|---|---|---|---|---|---|---|---|" + ("---|" if hasArena else "")]
    for row in rows:
        ours = max(row["workspace"], 1)
        copies = f"{row['copies']} ({size_text(row['copied'])})" if row["copies"] else "0"
        states = f"{size_text(row['state_moved'])} of {size_text(row['states'])}" if row["states"] else ""
        cells = [row["model"].removesuffix(".mlirbc"), size_text(row["workspace"]),
                 f"{row['workspace'] / max(row['bound'], 1):.3f}" if row["workspace"] else "",
                 size_text(row["program_order"]), size_text(row["plain"]),
                 f"{row['plain'] / ours:.2f}" if row["workspace"] else "", copies, size_text(row["persistent"]),
                 states]
        if hasArena:
            cells.append(size_text(row["arena"]) if "arena" in row else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def failures(row):
    if row["workspace"] > 1.02 * row["bound"]:
        yield f"workspace {row['workspace']} is more than 1.02 times the bound {row['bound']}"
    if row["order"] > row["program_order"] >= 0:
        yield f"the order has a peak of {row['order']}, program order {row['program_order']}"
    if row["workspace"] > row["plain"]:
        yield f"workspace {row['workspace']} is more than that of a plain planner, {row['plain']}"
    if row["unexplained"]:
        yield f"{row['unexplained']} of {row['copies']} copies have no reason in the record"
    if row["extra"]:
        yield f"{row['extra']} persistent bytes beyond one copy of each tensor"
    if "decode" in row["model"] and row["states"] > 1 << 20 and row["state_moved"] * 8 > row["states"]:
        yield f"updates of states move {row['state_moved']} bytes, of states of {row['states']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--run", default=os.path.join(ROOT, "build", "release", "bin", "gaudi-run"))
    parser.add_argument("--device", default="gaudi2")
    parser.add_argument("--networks")
    parser.add_argument("--arena", type=os.path.abspath)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--update-docs")
    args = parser.parse_args()
    rows, bad = [], 0
    for name, model in models(args):
        try:
            row = row_of(args, name, model)
        except RuntimeError as error:
            print(f"FAILED {name}: {error}", file=sys.stderr)
            bad += 1
            continue
        rows.append(row)
        for problem in failures(row):
            print(f"{'FAILED' if args.check else 'note'} {name}: {problem}", file=sys.stderr)
            bad += args.check
    print(table(rows))
    if args.json:
        with open(args.json, "w") as stream:
            json.dump(rows, stream, indent=1)
    if args.update_docs:
        with open(args.update_docs) as stream:
            text = stream.read()
        begin, end = "<!-- memory: begin -->\n", "<!-- memory: end -->"
        head, rest = text.split(begin)
        with open(args.update_docs, "w") as stream:
            stream.write(head + begin + table(rows) + "\n" + end + rest.split(end)[1])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
