#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints docs/reference/torch-ops.md: the rows of Operators.def, what each becomes, and what is refused.

Usage: torch-ops-page.py OPS.md   (the page of the gaudi dialect; scripts/gen-docs.sh calls it)

What a row becomes is read from its lowering's source: the ops that it and the functions it calls name, and the reasons
of c.refuse(). So are the errors of its rule. A value in a message is shown as N or as "...".
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "include" / "Gaudi" / "Torch" / "Operators.def"
LOWERINGS = ("lib/Conversion/Common", "lib/Conversion/TorchToGaudi")
RULES = ("lib/Torch",)
BUILDERS = ("Call", "FrontEndBuilder")  # files of the objects that every lowering has
# What operands of any op may need, and what is read, not built.
PLUMBING = {"CastOp", "ReshapeOp", "BroadcastOp", "ConstantOp", "FillOp"}
READING = re.compile(r"(?:getDefiningOp|isa|isa_and_nonnull|dyn_cast|dyn_cast_or_null|cast|hasOneUse|Case)<[^<>]*>")
KEYWORDS = {"if", "for", "while", "switch", "return", "catch", "sizeof", "assert", "decltype", "defined"}
CALL = re.compile(r"(\.|->|::)?\b([A-Za-z_]\w*)(?:<[^<>;(){}]*>)?\(")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OPENING, CLOSING = "([{", ")]}"


def end_of(text, start):
    """The place after the bracket that closes the one at `start`; strings are skipped."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == '"':
            at = LITERAL.match(text, at).end()
            continue
        if text[at] == "'" and re.match(r"'(?:\\.|[^\\'])'", text[at:at + 4]):
            at += 4 if text[at + 1] == "\\" else 3
            continue
        depth += (text[at] in OPENING) - (text[at] in CLOSING)
        at += 1
        if depth == 0:
            return at
    return len(text)


class Sources:
    """The functions of some folders by name, with their bodies. Methods are apart; names may be shared."""

    def __init__(self, folders):
        self.functions = collections.defaultdict(list)  # (is method, name) -> [(file, body)]
        self.found = {}
        for folder in folders:
            for path in sorted((ROOT / folder).glob("*")):
                if path.suffix in (".cpp", ".h"):
                    self._read(path.name, path.read_text())

    def _read(self, file, text):
        text = re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m[1] or "", text)
        text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE)
        at = 0
        while found := re.compile(r"([\w:~]+)\(").search(text, at):
            at = end_of(text, found.end() - 1)
            name = found[1].split("::")
            head = re.match(r"\s*(?:const\s*)?(?:noexcept\s*)?(?:override\s*|final\s*)?(?=\{)", text[at:])
            line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
            if not head or name[-1] in KEYWORDS or "=" in line or not re.search(r"[\w>&*]\s*$", line):
                at = found.end()
                continue
            end = end_of(text, at + head.end())
            is_method = line.startswith(" ") or (len(name) > 1 and name[-2][0].isupper())
            self.functions[is_method, name[-1]].append((file, text[at:end]))
            at = end

    def reached(self, is_method, name, file=None, seen=None, words=()):
        """The bodies of a function and of what it calls. `words` are those of the caller: a method of another file
        is one of a class that it names."""
        seen = {} if seen is None else seen  # in the order of calls
        bodies = self.functions.get((is_method, name), [])
        bodies = [each for each in bodies if each[0] == file] or [
            each for each in bodies if not is_method or each[0].split(".")[0] in {*BUILDERS, *words}]
        for where, body in bodies:
            if (where, body) in seen:
                continue
            seen[where, body] = True
            words = set(re.findall(r"\w+", body))
            local = set(re.findall(r"auto (\w+) = \[", body))
            for prefix, called in CALL.findall(body):
                if called in local:
                    continue
                if prefix in (".", "->"):
                    self.reached(True, called, where, seen, words)
                elif prefix != "::" and called != "create":
                    self.reached(False, called, where, seen, words)
                    if is_method:
                        self.reached(True, called, where, seen, words)
        return seen

    def of(self, name):
        if name not in self.found:
            # name<kind> of the table calls nameBy.
            self.found[name] = list(self.reached(False, name) or self.reached(False, name + "By"))
        return [body for _, body in self.found[name]]


def message_of(text):
    """The literals of a call, with ... for what is between them."""
    text = re.sub(r'"\s*\n\s*"', "", text)
    parts, at = [], 0
    for literal in LITERAL.finditer(text):
        if re.search(r"[\w)]", text[at:literal.start()].replace("Twine", "")) and parts:
            parts.append("...")
        parts.append(literal[1])
        at = literal.end()
    if parts and re.search(r"\+\s*\w", text[at:]):
        parts.append("...")
    message = "".join(parts).replace('\\"', '"')
    return re.sub(r"\{[^{}]*\}", "...", message).replace("......", "...").strip()


def messages(bodies, call):
    """The reasons that `call` gives in the bodies, each once."""
    found = []
    for body in bodies:
        for at in re.finditer(rf"\b{call}\(", body):
            message = message_of(body[at.end():end_of(body, at.end() - 1) - 1])
            if message and message not in found:
                found.append(message)
    return found


def ops_of(bodies, arguments, names):
    """The ops of the gaudi dialect that are built."""
    text = READING.sub("", "\n".join(bodies)) + arguments
    found = {each for each in re.findall(r"\b([A-Z]\w*Op)\b", text) if each in names}
    found = found - PLUMBING or found
    return sorted(names[each] for each in found)


def rows():
    """(heading, overload, rule, lowering, its template arguments, dynamic sizes) of each row."""
    heading = ""
    pattern = re.compile(r'GAUDI_TORCH_OP\("(\w+)::([\w.]+)\((?:[^"\\]|\\.)*", (\w+), (\w+)(<[^)]*>)?, (\w+)\)')
    for line in TABLE.read_text().splitlines():
        if line.startswith("// ") and line.endswith(".") and "GAUDI" not in line:
            heading = line[3:-1]
        elif row := pattern.match(line):
            yield heading, f"{row[1]}.{row[2]}", row[3], row[4], row[5] or "", row[6]


def cell(texts):
    return "; ".join(text.replace("|", "\\|") for text in texts)


def main():
    names = {m[2]: m[1] for m in re.finditer(r"^### `(gaudi\.[\w.]+)` \(gaudi::(\w+)\)$",
                                             pathlib.Path(sys.argv[1]).read_text(), re.MULTILINE)}
    lowerings, rules = Sources(LOWERINGS), Sources(RULES)
    spellings = dict(re.findall(r'GAUDI_SCALAR_TYPE\((\w+), \d+, "([^"]*)"',
                                (ROOT / "include/Gaudi/Torch/ScalarTypes.def").read_text()))
    types = [spellings[each] for each in re.findall(r"case ScalarType::(\w+):", lowerings.of("deviceElement")[0])]
    all_rows = list(rows())
    print(f"""<!-- Generated by scripts/gen-docs.sh from Operators.def and the sources of rules and lowerings; do not edit. -->

# Ops of PyTorch

The {len(all_rows)} overloads that the front end of the torch dialect takes
(`--convert-torch-to-gaudi`). Others are refused by name, unless PyTorch's own decompositions make
them of these.

Of every op:

- tensors have a static shape of at most 8 dimensions and 2^40 elements;
- their element types are those of the device: {", ".join(types[:-6])},
  {", ".join(types[-6:])}; constants of f64 are converted where they are read;
- numbers, lists of numbers, flags and texts are constants of the graph;
- promotion, broadcasting, negative dimensions and scalar tensors are as in PyTorch.

*Becomes* lists the ops of the [gaudi dialect](ops.md) that one call can be made of; casts,
reshapes, constants, fills and repetitions come on top. *Refused* is what PyTorch may allow
and we do not, in the words of the message (... is a value). *Dynamic sizes* says no where an op is refused in
[programs that have them](../buckets.md): its lowering may compute with sizes. What PyTorch refuses
itself is at the [rule](#errors-of-the-rules) that the last column names.""")
    heading = None
    for group, overload, rule, lowering, arguments, sizes in all_rows:
        if group != heading:
            heading = group
            print(f"\n## {group}\n\n| overload | becomes | refused | dynamic sizes | rule |\n|---|---|---|---|---|")
        bodies = lowerings.of(lowering)
        becomes = ", ".join(f"`{each}`" for each in ops_of(bodies, arguments, names)) or "its operand"
        print(f"| `{overload}` | {becomes} | {cell(messages(bodies, 'refuse'))} | "
              f"{'no' if sizes == 'Refused' else ''} | `{rule}` |")
    print("\n## Errors of the rules\n\nThe types of results are inferred by these rules, which refuse what PyTorch does. Of "
          "arguments of\nanother kind than the schema says, the message names the parameter.\n\n| rule | refused |\n|---|---|")
    for rule in sorted({row[2] for row in all_rows}):
        print(f"| `{rule}` | {cell(messages(rules.of(rule), 'fail'))} |")


if __name__ == "__main__":
    main()
