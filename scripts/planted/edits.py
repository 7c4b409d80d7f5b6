# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Single defects in the text of a module of gaudi ops: every place where a kind of defect can be planted."""
import re

FLOAT = r"-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?"
KINDS = ("constant", "index", "operand", "rounding", "dropped term", "skipped clamp", "swapped branch", "wrong axis",
         "wrong function")
# Functions that are taken for each other.
FUNCTIONS = [("math.exp ", "math.exp2 "), ("math.tanh", "math.erf"), ("math.sqrt", "math.cbrt"),
             ("math.rsqrt", "math.sqrt"), ("math.log ", "math.log2 "), ("math.sin", "math.cos"),
             ("math.cos", "math.sin"), ("math.absf", "arith.negf"), ("arith.addf", "arith.subf"),
             ("arith.subf", "arith.addf"), ("arith.mulf", "arith.addf"), ("arith.divf", "arith.mulf"),
             ("arith.maximumf", "arith.minimumf"), ("arith.minimumf", "arith.maximumf"), ("arith.addi", "arith.subi"),
             ("math.floor", "math.ceil"), ("gaudi.tpc.add", "gaudi.tpc.sub"), ("gaudi.tpc.sub", "gaudi.tpc.add"),
             ("gaudi.tpc.mul", "gaudi.tpc.add"), ("gaudi.tpc.div", "gaudi.tpc.mul"), ("gaudi.tpc.max ", "gaudi.tpc.min "),
             ("gaudi.tpc.exp ", "gaudi.tpc.exp2 "), ("gaudi.tpc.tanh", "gaudi.tpc.erf"),
             ("gaudi.tpc.sqrt", "gaudi.tpc.rsqrt"), ("gaudi.tpc.rsqrt", "gaudi.tpc.sqrt"),
             ("gaudi.tpc.log ", "gaudi.tpc.log2 "), ("<sum>", "<mean>"), ("<mean>", "<sum>"), ("<max>", "<min>"),
             ("<add>", "<max>"), ("reduce [add]", "reduce [max]")]
PREDICATES = [("cmpf ogt", "cmpf olt"), ("cmpf olt", "cmpf ogt"), ("cmpf oge", "cmpf olt"), ("cmpf ole", "cmpf ogt"),
              ("cmpf oeq", "cmpf one"), ("cmpf une", "cmpf oeq"), ("cmpi slt", "cmpi sge"), ("cmpi sge", "cmpi slt"),
              ("cmpi sle", "cmpi sgt"), ("cmpi sgt", "cmpi sle"), ("cmpi eq", "cmpi ne"), ("cmpi ne", "cmpi eq"),
              ("cmpi ult", "cmpi uge"), ("compare <lt>", "compare <ge>"), ("compare <gt>", "compare <le>"),
              ("compare <le>", "compare <gt>"), ("compare <ge>", "compare <lt>"), ("compare <eq>", "compare <ne>"),
              ("compare <ne>", "compare <eq>")]


class Text:
    """Lines of a module, and what its edits need to know about them."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.space = {}  # line -> (extents, parallel) of the kernel around it
        space = None
        for i, line in enumerate(self.lines):
            if found := re.search(r"gaudi\.tpc\.kernel.*index_space \[([\d, ]*)\]", line):
                space = [int(n) for n in found[1].split(",") if n.strip()]
            self.space[i] = space
        self.constants = {}
        for line in self.lines:
            if found := re.match(rf"\s*(%[\w]+) = arith\.constant ({FLOAT}|0x[0-9A-F]+|true|false) ", line):
                self.constants[found[1]] = found[2]
            elif found := re.match(rf"\s*(%[\w]+) = gaudi\.(?:fill|constant) (?:dense<)?({FLOAT}|0x[0-9A-F]+)>? ", line):
                self.constants[found[1]] = found[2]
        self.function = 0
        self.of_function = []
        for line in self.lines:
            self.function += bool(re.match(r"\s*func\.func", line))
            self.of_function.append(self.function)

    def with_line(self, i, *new):
        return "\n".join(self.lines[:i] + list(new) + self.lines[i + 1:])

    def is_constant(self, name, *values):
        """Whether a value is a constant, one of these texts if there are any."""
        value = self.constants.get(name)
        return value is not None and (not values or value in values or _number(value) in values)


def _number(text):
    try:
        return float(text)
    except ValueError:
        return None


def constants(t):
    pattern = re.compile(rf"(constant |dense<|min |max |eps |epsilon |scale |value |beta1 |beta2 |weight_decay |momentum |"
                         rf"l2 |fill )({FLOAT})(?= :|>| : f|,)")
    for i, line in enumerate(t.lines):
        for found in pattern.finditer(line):
            value = _number(found[2])
            if value is None or abs(value) > 1e30 or "func.func" in line:
                continue
            # An i1 or an index is not a number.
            rest = line[found.end():]
            if not re.match(r">? : (tensor<[\dx]*)?(f|bf)", rest):
                continue
            for new in (value * 1.25, value - 0.5 if value == 0 else -value, value + 1 if value == 0 else value * 4):
                if new != value:
                    yield t.with_line(i, line[:found.start(2)] + repr(float(new)) + line[found.end(2):]), \
                        f"{found[2]} is {new!r} in: {line.strip()[:110]}"


def _list(text):
    return [part.strip() for part in text.split(",")]


def indices(t):
    for i, line in enumerate(t.lines):
        found = re.search(r"(gaudi\.kernel\.load %in\w+)\[([^\]]*)\]", line)
        if found and t.space[i]:
            parts, space = _list(found[2]), t.space[i]
            for k, part in enumerate(parts):
                if (one := re.fullmatch(r"d(\d+)", part)) and space[int(one[1])] > 1:
                    for new in (f"-{part} + {space[int(one[1])] - 1}", "0"):
                        changed = parts[:k] + [new] + parts[k + 1:]
                        yield t.with_line(i, line[:found.start(2)] + ", ".join(changed) + line[found.end(2):]), \
                            f"{part} is {new} in: {line.strip()[:110]}"
            for a in range(len(parts)):
                for b in range(a + 1, len(parts)):
                    one, two = (re.fullmatch(r"d(\d+)", parts[k]) for k in (a, b))
                    if one and two and space[int(one[1])] == space[int(two[1])] > 1:
                        changed = list(parts)
                        changed[a], changed[b] = parts[b], parts[a]
                        yield t.with_line(i, line[:found.start(2)] + ", ".join(changed) + line[found.end(2):]), \
                            f"{parts[a]} and {parts[b]} swapped in: {line.strip()[:110]}"
        found = re.search(r"gaudi\.slice %\S+ offsets \[([\d, ]*)\] strides \[([\d, ]*)\] : tensor<([\dx]+)x\w+> -> "
                          r"tensor<([\dx]+)x\w+>", line)
        if found:
            offsets, strides = ([int(n) for n in _list(found[k])] for k in (1, 2))
            outer, inner = ([int(n) for n in found[k].split("x")] for k in (3, 4))
            for d in range(len(offsets)):
                for step in (-1, 1):
                    low = offsets[d] + step
                    if low >= 0 and low + (inner[d] - 1) * strides[d] < outer[d]:
                        new = ", ".join(str(n + (step if k == d else 0)) for k, n in enumerate(offsets))
                        yield t.with_line(i, line[:found.start(1)] + new + line[found.end(1):]), \
                            f"offsets {new} in: {line.strip()[:110]}"


BINARY = re.compile(r"(\s*%\w+ = (\S+) )(%\w+), (%\w+)( : .*)")


def operands(t):
    ordered = {"arith.subf", "arith.divf", "math.powf", "arith.subi", "gaudi.tpc.sub", "gaudi.tpc.div", "gaudi.tpc.pow",
               "arith.remf"}
    for i, line in enumerate(t.lines):
        found = BINARY.fullmatch(line)
        if found and found[2] in ordered and found[3] != found[4]:
            types = _types(found[5])
            if len(types) < 2 or types[0] == types[1]:
                yield t.with_line(i, found[1] + found[4] + ", " + found[3] + found[5]), \
                    f"operands swapped in: {line.strip()[:110]}"
    # Another value of the type, computed before by the same function.
    known = {}
    last = None
    for i, line in enumerate(t.lines):
        if t.of_function[i] != last:
            known, last = {}, t.of_function[i]
        if head := re.search(r"func\.func.*?\((.*)\) -> ", line):
            for name, kind in re.findall(r"(%\w+): (tensor<[^>]*>)", head[1]):
                known.setdefault(kind, []).append(name)
        found = re.fullmatch(r"  {2,4}(%\w+) = (gaudi\.(?!kernel)\S+) ((?:%\w+(?:, )?)+)(.*) : (.*)", line)
        if found is None or "gaudi.tpc.kernel" in line:
            continue
        names, types = _list(found[3]), _types(" : " + found[5])
        for k, name in enumerate(names):
            if k < len(types):
                for other in known.get(types[k], [])[-4:]:
                    if other not in names and not t.is_constant(other):
                        changed = names[:k] + [other] + names[k + 1:]
                        yield t.with_line(i, line[:found.start(3)] + ", ".join(changed) + line[found.end(3):]), \
                            f"{other} instead of {name} in: {line.strip()[:110]}"
        if types:
            known.setdefault(types[-1], []).append(found[1])


def _types(text):
    """The types after a colon, in order."""
    return re.findall(r"tensor<[^>]*>|\b(?:f32|bf16|f16|i\d+)\b", text.rsplit(" : ", 1)[-1]) if " : " in text else []


def roundings(t):
    for i, line in enumerate(t.lines):
        narrow = re.fullmatch(r"(\s*)(%\w+) = arith\.truncf (%\w+) : f32 to (bf16|f16)", line)
        if narrow:
            for j in range(i + 1, min(i + 12, len(t.lines))):
                wide = re.fullmatch(rf"(\s*)(%\w+) = arith\.extf {narrow[2]} : {narrow[4]} to f32", t.lines[j])
                if wide:
                    yield t.with_line(j, f"{wide[1]}{wide[2]} = arith.maximumf {narrow[3]}, {narrow[3]} : f32"), \
                        f"left out: {line.strip()}"
                    break
        found = re.fullmatch(r"(\s*)(%\w+)( = (?:arith\.(?:addf|mulf|subf|divf)|math\.(?:exp|tanh|rsqrt)) .* : f32)", line)
        if found:
            indent, name = found[1], found[2]
            yield t.with_line(i, f"{indent}%planted0{found[3]}",
                              f"{indent}%planted1 = arith.truncf %planted0 : f32 to bf16",
                              f"{indent}{name} = arith.extf %planted1 : bf16 to f32"), \
                f"rounded to bf16: {line.strip()[:110]}"
        for a, b in (("math.floor", "math.ceil"), ("math.roundeven", "math.floor"), ("math.round ", "math.floor "),
                     ("math.trunc", "math.ceil"), ("gaudi.tpc.floor", "gaudi.tpc.ceil"),
                     ("gaudi.tpc.round_even", "gaudi.tpc.floor")):
            if a in line:
                yield t.with_line(i, line.replace(a, b)), f"{b.strip()} in: {line.strip()[:110]}"
        found = re.fullmatch(r"(\s*)(%\w+)( = gaudi\.tpc\.(?:add|mul|sub|div|exp|tanh) .*)", line)
        if found and (types := _types(found[3])) and types[-1].endswith("xf32>"):
            kind = types[-1]
            half = kind.replace("xf32>", "xbf16>")
            yield t.with_line(i, f"{found[1]}%planted0{found[3]}",
                              f"{found[1]}%planted1 = gaudi.tpc.cast %planted0 : {kind} -> {half}",
                              f"{found[1]}{found[2]} = gaudi.tpc.cast %planted1 : {half} -> {kind}"), \
                f"rounded to bf16: {line.strip()[:110]}"


def dropped_terms(t):
    neutral = {"arith.addf": (0.0,), "arith.subf": (0.0,), "arith.mulf": (1.0,), "arith.divf": (1.0,),
               "gaudi.tpc.add": (0.0,), "gaudi.tpc.sub": (0.0,), "gaudi.tpc.mul": (1.0,), "gaudi.tpc.div": (1.0,)}
    for i, line in enumerate(t.lines):
        found = BINARY.fullmatch(line)
        if not found or found[2] not in neutral:
            continue
        same = "arith.maximumf" if found[2].startswith("arith") else "gaudi.tpc.max"
        types = _types(found[5])
        for kept, dropped, k in ((found[3], found[4], 0), (found[4], found[3], 1)):
            # -x is not what is left of 0 - x.
            if t.is_constant(dropped, *neutral[found[2]]) or k == 1 and found[2].endswith(("subf", "divf", "sub", "div")):
                continue
            kind = found[5]
            if len(types) > 1:
                if types[k] != types[-1]:
                    continue
                kind = f" : {types[k]}, {types[k]} -> {types[k]}"
            yield t.with_line(i, f"{line[:found.start(2)]}{same} {kept}, {kept}{kind}"), \
                f"{dropped} dropped from: {line.strip()[:110]}"


def _is_clamped_again(t, i):
    """Whether the integer that a line computes only is an index that its load clamps: then a clamp changes nothing."""
    names = {t.lines[i].split(" = ")[0].strip()}
    for line in t.lines[i + 1:]:
        if line.strip() == "}":
            return True
        read = {name for name in names if re.search(re.escape(name) + r"\b", line)}
        if not read:
            continue
        clamp = re.match(r"\s*(%\w+) = arith\.(?:maxsi|minsi) ", line)
        load = re.search(r"gaudi\.kernel\.load %\w+\[([^\]]*)\] boundary \[([^\]]*)\]", line)
        if clamp:
            names.add(clamp[1])
        elif not load or any(name in part and "clamp" not in boundary for name in read
                             for part, boundary in zip(_list(load[1]), _list(load[2]))):
            return False
    return True


def clamps(t):
    for i, line in enumerate(t.lines):
        found = BINARY.fullmatch(line)
        if found and found[2] in ("arith.maxsi", "arith.minsi") and _is_clamped_again(t, i):
            continue
        if found and found[2] in ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi",
                                  "arith.minsi", "gaudi.tpc.max", "gaudi.tpc.min") and found[3] != found[4]:
            types = _types(found[5])
            for kept, other, k in ((found[3], found[4], 0), (found[4], found[3], 1)):
                if t.is_constant(kept) or re.search(r"0x[F7]F8|inf", t.constants.get(other, "")):
                    continue
                kind = found[5]
                if len(types) > 1:
                    if types[k] != types[-1]:
                        continue
                    kind = f" : {types[k]}, {types[k]} -> {types[k]}"
                yield t.with_line(i, f"{found[1]}{kept}, {kept}{kind}"), f"left out: {line.strip()[:110]}"
        found = re.search(rf"gaudi\.tpc\.clamp %\w+ (?:ignore_nan )?min ({FLOAT}) : f32 max ({FLOAT}) : f32", line)
        if found:
            for k, new in ((1, "-3.0e38"), (2, "3.0e38")):
                if abs(float(found[k])) < 1e30:
                    yield t.with_line(i, line[:found.start(k)] + new + line[found.end(k):]), \
                        f"no {'lower' if k == 1 else 'upper'} bound in: {line.strip()[:110]}"


def branches(t):
    for i, line in enumerate(t.lines):
        found = re.fullmatch(r"(\s*%\w+ = (?:arith\.select|gaudi\.tpc\.select) %\w+, )(%\w+), (%\w+)( : .*)", line)
        if found and found[2] != found[3]:
            types = _types(found[4])
            if "arith" in line or len(types) > 2 and types[-3] == types[-2]:
                yield t.with_line(i, found[1] + found[3] + ", " + found[2] + found[4]), \
                    f"branches swapped in: {line.strip()[:110]}"
        for a, b in PREDICATES:
            if a in line:
                yield t.with_line(i, line.replace(a, b)), f"{b} in: {line.strip()[:110]}"


def axes(t):
    for i, line in enumerate(t.lines):
        found = re.search(r"gaudi\.transpose %\S+ permutation \[([\d, ]*)\] : tensor<([\dx]+)x\w+> ->", line)
        if found:
            order, sizes = [int(n) for n in _list(found[1])], [int(n) for n in found[2].split("x")]
            for a in range(len(order)):
                for b in range(a + 1, len(order)):
                    if sizes[order[a]] == sizes[order[b]] > 1:
                        new = list(order)
                        new[a], new[b] = order[b], order[a]
                        yield t.with_line(i, line[:found.start(1)] + ", ".join(map(str, new)) + line[found.end(1):]), \
                            f"permutation {new} in: {line.strip()[:110]}"
        found = re.fullmatch(r"(\s*%\w+ = gaudi\.concat )(%\w+), (%\w+)( axis .*)", line)
        if found and found[2] != found[3]:
            types = _types(line)
            if len(types) > 1 and types[0] == types[1]:
                yield t.with_line(i, found[1] + found[3] + ", " + found[2] + found[4]), \
                    f"parts swapped in: {line.strip()[:110]}"
        # Padding on the other side leaves the sizes as they are.
        found = re.search(r"pad \[([\d, ]+)\], \[([\d, ]+)\]", line)
        if found:
            low, high = _list(found[1]), _list(found[2])
            for d in range(len(low)):
                if int(low[d]) > 0:
                    a, b = list(low), list(high)
                    a[d], b[d] = str(int(low[d]) - 1), str(int(high[d]) + 1)
                    yield t.with_line(i, f"{line[:found.start()]}pad [{', '.join(a)}], [{', '.join(b)}]"
                                      f"{line[found.end():]}"), f"padding shifted in: {line.strip()[:110]}"
        # The other order of a square matrix.
        found = re.search(r"gaudi\.mme\.gemm %\w+, %\w+(.*?) : tensor<([\dx]+)x\w+>, tensor<([\dx]+)x\w+>", line)
        if found:
            for k, name in ((2, " transpose_a"), (3, " transpose_b")):
                sizes = found[k].split("x")
                if len(sizes) >= 2 and sizes[-1] == sizes[-2] != "1":
                    rest = found[1].replace(name, "") if name in found[1] else \
                        found[1] + name if k == 3 and "order" not in found[1] else name + found[1]
                    yield t.with_line(i, line[:found.start(1)] + rest + line[found.end(1):]), \
                        f"{name.strip()} {'left out' if name in found[1] else 'added'} in: {line.strip()[:110]}"
        found = re.search(r"gaudi\.tpc\.(?:cumsum|cumulative_sum) .*reverse", line)
        if found:
            yield t.with_line(i, line.replace(" reverse", "")), f"not reverse: {line.strip()[:110]}"
        # A kernel that writes its result along another dimension.
        found = re.search(r"(gaudi\.kernel\.store %\w+, %out\w+)\[([^\]]*)\]", line)
        if found and t.space[i]:
            parts, space = _list(found[2]), t.space[i]
            for a in range(len(parts)):
                for b in range(a + 1, len(parts)):
                    one, two = (re.fullmatch(r"d(\d+)", parts[k]) for k in (a, b))
                    if one and two and space[int(one[1])] == space[int(two[1])] > 1:
                        changed = list(parts)
                        changed[a], changed[b] = parts[b], parts[a]
                        yield t.with_line(i, line[:found.start(2)] + ", ".join(changed) + line[found.end(2):]), \
                            f"{parts[a]} and {parts[b]} swapped in: {line.strip()[:110]}"
                if (one := re.fullmatch(r"d(\d+)", parts[a])) and space[int(one[1])] > 1 and b_is_last(a, parts):
                    changed = parts[:a] + [f"-{parts[a]} + {space[int(one[1])] - 1}"]
                    yield t.with_line(i, line[:found.start(2)] + ", ".join(changed) + line[found.end(2):]), \
                        f"{parts[a]} reversed in: {line.strip()[:110]}"


def b_is_last(a, parts):
    return a == len(parts) - 1


def functions(t):
    for i, line in enumerate(t.lines):
        for a, b in FUNCTIONS:
            if a in line and not re.match(r"\s*func", line):
                yield t.with_line(i, line.replace(a, b, 1)), f"{b.strip()} for {a.strip()} in: {line.strip()[:110]}"


EDITS = dict(zip(KINDS, (constants, indices, operands, roundings, dropped_terms, clamps, branches, axes, functions)))
