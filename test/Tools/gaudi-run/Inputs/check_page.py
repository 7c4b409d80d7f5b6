#!/usr/bin/env python3
"""Opens a page of gaudi-run in headless Chromium, uses it, and compares its numbers with the JSON.

Usage: check_page.py PAGE PREDICTION.json [--no-remarks] [--source | --any-source] [--host]

Nothing may reach the console, and the page may fetch nothing. Prints what was compared; exit code 1 at the first
difference.
"""
import json
import math
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "scripts" / "viewers"))
from browser import Page  # noqa: E402 (the path is set above)

UNITS = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
         "flop": 1, "kflop": 1e3, "Mflop": 1e6, "Gflop": 1e9, "Tflop": 1e12, "%": 0.01, "": 1}


def same(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: the page has {got!r}, expected {expected!r}")


def close(what, text, value):
    """Whether a text of three digits and a unit says the value."""
    number, _, unit = text.partition(" ")
    if not re.fullmatch(r"-?[0-9.]+(e-[0-9]+)?", number) or unit not in UNITS:
        sys.exit(f"{what}: {text!r} is not a number with a unit")
    if not math.isclose(float(number) * UNITS[unit], value, rel_tol=0.006, abs_tol=0.0006):
        sys.exit(f"{what}: the page says {text!r}, the JSON {value!r}")


def at(json_value, path):
    for key in path.split("."):
        json_value = json_value[int(key) if isinstance(json_value, list) else key]
    return json_value


def check_numbers(page, predictions, device):
    """All numbers that are in view, by their path in the JSON."""
    rows = page.evaluate("""[...document.querySelectorAll('[data-path]')].map(e => [e.dataset.path, e.dataset.value,
        e.textContent, e.closest('[data-device]')?.dataset.device ?? null])""")
    for path, value, text, other in rows:
        prediction = predictions[device if other is None else int(other)]
        expected = at(prediction, path)
        if isinstance(expected, dict):  # a command: its time
            expected = expected["end_us"] - expected["start_us"]
        same(f"device {device}: value of {path}", json.loads(value), expected)
        close(f"device {device}: text of {path}", text, expected)
    return len(rows)


def check_table(page, prediction):
    """Sorting and filtering of the table of commands."""
    commands = prediction["commands"]

    def column(number):
        return page.evaluate(f"[...document.querySelectorAll('#commands .scroll:not([hidden]) tbody tr')].map(r => r.cells[{number}]?.textContent)")

    def sort(title):
        page.evaluate(f"[...document.querySelectorAll('#commands th button')].find(b => b.textContent === '{title}').click()")
    slowest = sorted(range(len(commands)), key=lambda i: commands[i]["start_us"] - commands[i]["end_us"])
    same("slowest command first", commands[int(column(0)[0])]["end_us"] - commands[int(column(0)[0])]["start_us"],
         commands[slowest[0]]["end_us"] - commands[slowest[0]]["start_us"])
    sort("#")
    same("sorted by number, descending", int(column(0)[0]), len(commands) - 1)
    sort("#")
    same("sorted by number", [int(text) for text in column(0)[:200]], list(range(min(len(commands), 200))))
    word = commands[0]["name"]
    page.evaluate(f"""(() => {{ const box = document.querySelector('#commands input[type=search]');
        box.value = {json.dumps(word)}; box.dispatchEvent(new Event('input')); }})()""")
    found = [command for command in commands
             if word.lower() in " ".join([command["name"], command["engine"], command["location"], command["bound"],
                                          *command["operands"]]).lower()]
    same("rows after a filter", page.evaluate("document.getElementById('commands-count').textContent").split(" of ")[0],
         str(len(found)))
    page.evaluate("""(() => { const box = document.querySelector('#commands input[type=search]');
        box.value = ''; box.dispatchEvent(new Event('input')); })()""")


def settle(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def canvas(page, section):
    """Place of a chart in the window, after scrolling to it."""
    page.evaluate(f"document.querySelector('#{section} canvas').scrollIntoView({{block: 'center'}})")
    settle(page)
    return page.evaluate(f"""(() => {{ const b = document.querySelector('#{section} canvas').getBoundingClientRect();
        return [b.left, b.top, b.width, b.height]; }})()""")


def check_timeline(page, prediction, device):
    """The pointer over a rectangle names its command; keys choose commands; the wheel and the keys zoom."""
    commands = prediction["commands"]
    left, top, width, _ = canvas(page, "timeline")
    longest = max(range(len(commands)), key=lambda i: commands[i]["end_us"] - commands[i]["start_us"])
    # The engines are free before the end, which is when the last byte has arrived.
    _, start, end, first, *_ = page.evaluate("JSON.parse(document.getElementById('data').textContent)"
                                            f".extra[{device}].pieces.find(piece => piece[0] === {longest})")
    command, begin = commands[longest], 79  # pixels of the names of rows, and the border
    rows = [name for name, engine in prediction["engines"].items() if engine["commands"]]
    heights = {"MME": 34, "TPC": 92, "DMA": 30}
    y = top + 19 + int(page.evaluate("document.querySelector('#timeline canvas').dataset.layers")) + sum(heights.get(name, 22) + 8 for name in rows[:rows.index(command["engine"])])
    engines = prediction["engines"][command["engine"]]["engines"]
    y += heights.get(command["engine"], 22) * ((first % engines + 0.5) / engines)
    middle = (start + end) / 2 / prediction["time_us"]
    x = left + begin + middle * (width - begin - 2)
    if (end - start) / prediction["time_us"] * width >= 4:
        check_pointer(page, x, y, longest, command)
    page.evaluate("document.querySelector('#timeline canvas').focus()")
    before = page.evaluate("document.querySelector('#timeline canvas').toDataURL().length")
    page.press("+", "Equal", "+")
    settle(page)
    same("zooming changes the drawing",
         page.evaluate("document.querySelector('#timeline canvas').toDataURL().length") != before, True)
    page.press("0", "Digit0", "0")
    page.press("Escape")
    page.press("n", "KeyN", "n")
    settle(page)
    first = min(range(len(commands)), key=lambda i: (commands[i]["start_us"], i))
    details = page.evaluate("document.querySelector('#timeline .details')?.innerText")
    if not details or not details.splitlines()[0].endswith(f"#{first}"):
        sys.exit(f"timeline: the key n chooses {details!r}, not command {first}")


def check_pointer(page, x, y, number, command):
    page.mouse("mouseMoved", x, y)
    settle(page)
    tip = page.evaluate("document.getElementById('tip').hidden ? null : document.getElementById('tip').innerText")
    if not tip or command["name"] not in tip or command["bound"] not in tip:
        sys.exit(f"timeline: the pointer is over {command['name']}, the page says {tip!r}")
    for kind in ("mousePressed", "mouseReleased"):
        page.mouse(kind, x, y, button="left", clickCount=1)
    settle(page)
    details = page.evaluate("document.querySelector('#timeline .details')?.innerText")
    if not details or f"#{number}" not in details.splitlines()[0]:
        sys.exit(f"timeline: a click on command {number} shows {details!r}")


def check_memory(page, prediction):
    """The pointer over the largest tensor of each lane names it."""
    buffers, resident = prediction["memory"]["buffers"], prediction["memory"]["resident"]
    if not buffers:
        return
    page.evaluate("[...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'whole launch').click()")
    left, top, width, height = canvas(page, "memory")

    def check_tip(tensor, high, begin, end, time, words):
        share = (tensor["offset"] + tensor["bytes"] / 2) / high
        page.mouse("mouseMoved", left + 79 + time / prediction["time_us"] * (width - 80),
                   top + begin + (1 - share) * (end - begin))
        settle(page)
        tip = page.evaluate("document.getElementById('tip').hidden ? null : document.getElementById('tip').innerText")
        if not tip or not all(word in tip for word in words):
            sys.exit(f"memory map: the pointer is over {tensor['name']!r}, the page says {tip!r}")

    largest = max(buffers, key=lambda buffer: buffer["bytes"] * (buffer["to_us"] - buffer["from_us"]))
    check_tip(largest, max(buffer["offset"] + buffer["bytes"] for buffer in buffers), 18, 296,
              (largest["from_us"] + largest["to_us"]) / 2, ["alive from"])
    begin = 300
    for section in dict.fromkeys(tensor["section"] for tensor in resident if tensor["bytes"]):
        inside = [tensor for tensor in resident if tensor["section"] == section]
        largest = max(inside, key=lambda tensor: tensor["bytes"])
        check_tip(largest, max(tensor["offset"] + tensor["bytes"] for tensor in inside), begin + 6, begin + 76,
                  prediction["time_us"] / 2, ["keeps its bytes between launches", largest["class"], largest["type"]])
        begin += 80
    same("height of the memory map", height, begin)
    alive = page.evaluate("[...document.querySelectorAll('#memory details')][0].innerText")
    peak = prediction["memory"]["peak"]
    if f"#{peak['command']} {peak['op']}" not in alive or not all(b["type"] in alive for b in peak["buffers"][:10]):
        sys.exit(f"memory map: the table of the peak has no {peak['op']!r}: {alive[:200]!r}")
    text = page.evaluate("document.getElementById('memory').innerText")
    for line in [p["line"] for p in prediction["memory"]["plans"]] + [r["text"] for r in prediction["memory"]["remedies"]]:
        if line not in text:
            sys.exit(f"memory map: {line!r} is missing")


def check_fusions(page, fusions):
    """One line for each kind, and a table that can be filtered."""
    lines = page.evaluate("[...document.querySelectorAll('#fusions li')].map(e => e.textContent)")
    same("lines of fusions", lines, [count["line"] for count in fusions["counts"]])
    candidates = fusions["candidates"]
    if not candidates:
        return

    def choose(select, index):
        page.evaluate(f"""(() => {{ const box = document.querySelectorAll('#fusions select')[{select}];
            box.selectedIndex = {index}; box.dispatchEvent(new Event('input')); }})()""")
        return page.evaluate("document.getElementById('fusions-count').textContent")
    for index, fused in ((1, True), (2, False)):
        number = sum(one["fused"] == fused for one in candidates)
        same("candidates of an outcome", choose(0, index), f"{number} of {len(candidates)}")
    choose(0, 0)
    for index, count in enumerate(fusions["counts"]):
        same("candidates of a kind", choose(1, index + 1), f"{count['candidates']} of {len(candidates)}")


def check_permutations(page, permutations):
    """Each region is drawn: a box per op, a path per edge, marked if a transpose remains or is gone."""
    regions = permutations["regions"]
    same("the page shows permutations", page.evaluate("document.getElementById('permutations') !== null"), bool(regions))
    if not regions:
        return
    same("line of permutations", page.evaluate("document.getElementById('permutations-line').textContent"), permutations["line"])
    page.evaluate("document.querySelectorAll('#permutations details').forEach(e => { e.open = true; })")
    settle(page)
    drawn = page.evaluate("""[...document.querySelectorAll('#permutations details')].map(e => [
        e.querySelector('summary').textContent, ...['g.op', 'path.edge', 'path.kept', 'path.removed'].map(
            name => e.querySelectorAll(name).length)])""")
    order = sorted(range(len(regions)), key=lambda i: (-regions[i]["transposes_after"], -regions[i]["before_us"], i))
    same("regions", len(drawn), min(len(regions), 50))
    for index, (summary, *counts) in zip(order, drawn):
        region = regions[index]
        same("summary of a region ends with its line", summary.endswith(region["line"]), True)
        remains = [region["transposes"][t]["remains"] for _, _, t in region["edges"] if t >= 0]
        same(f"drawing of region {index}", counts, [len(region["ops"]), len(region["edges"]), sum(remains),
                                                   len(remains) - sum(remains)])
        boxes = page.evaluate(f"""[...document.querySelectorAll('#permutations details')[{order.index(index)}]
            .querySelectorAll('rect')].map(e => e.getAttribute('x') + ' ' + e.getAttribute('y'))""")
        same(f"boxes of region {index} do not cover each other", len(set(boxes)), len(boxes))


def check_text(page, with_remarks, with_source):
    remarks = page.evaluate("document.getElementById('remarks').innerText")
    same("the page says that a recipe has no remarks", "A recipe has no remarks" in remarks, not with_remarks)
    if with_remarks:
        passes = page.evaluate("[...document.querySelectorAll('#remarks summary')].map(e => e.textContent)")
        same("remarks are grouped by pass", bool(passes) and all(re.fullmatch(r"[a-z-]+ \(\d+\)", name) for name in passes),
             True)
    code = page.evaluate("[...document.querySelectorAll('#lines td.code')].map(e => e.textContent).filter(t => t.trim()).length")
    if "--any-source" not in sys.argv:
        same("lines have their source text", code > 0, with_source)
    summary = page.evaluate("document.getElementById('summary').innerText")
    same("the time of this host is shown", "measured on this host" in summary, "--host" in sys.argv)


def check_graph_keys(page):
    """One node is in the order of tabs; arrows reach the others, and Enter acts."""
    nodes = "[...document.querySelectorAll('#graph .node')]"
    at_focus = f"{nodes}.indexOf(document.activeElement)"
    same("nodes in the order of tabs", page.evaluate(f"{nodes}.filter(n => n.tabIndex === 0).length"), 1)
    page.evaluate(f"{nodes}.find(n => n.tabIndex === 0).focus()")
    seen, pending = set(), {page.evaluate(at_focus)}
    while pending - seen and len(seen) < 30:
        node = min(pending - seen)
        seen.add(node)
        for key in ("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"):
            page.evaluate(f"{nodes}[{node}].focus()")
            page.press(key)
            pending.add(page.evaluate(at_focus))
    same("nodes that arrows reach", len(pending) >= min(30, page.evaluate(f"{nodes}.length")), True)
    page.evaluate(f"({nodes}.find(n => n.querySelector('rect.command')) ?? {nodes}[0]).focus()")
    opens = page.evaluate("!document.activeElement.querySelector('rect.command')")
    before = page.evaluate(f"{nodes}.length")
    page.press("Enter")
    same("Enter opens a layer or chooses a command", page.evaluate(f"{nodes}.length") > before if opens
         else page.evaluate("!!document.querySelector('#timeline .details')"), True)
    page.press("Escape")


def check_sections(page, prediction, everything, device):
    """What the sections beside the numbers draw, and that they act."""
    text = lambda query: page.evaluate(f"document.querySelector({json.dumps(query)})?.textContent ?? null")
    number = lambda query: page.evaluate(f"document.querySelectorAll({json.dumps(query)}).length")
    commands, advice = prediction["commands"], prediction["advice"]
    same("the first tile has the best advice", (advice[0]["title"] if advice else "Nothing found") in text("#first-advice"), True)
    split = prediction["time_split_us"]
    same("the parts of the launch add up", abs(sum(split.values()) - prediction["time_us"]) < 1e-6 * max(1, prediction["time_us"]), True)
    same("parts of the launch", number("#split i"), sum(value > 0 for value in split.values()))
    slower = page.evaluate("JSON.parse(document.getElementById('data').textContent).slower")
    same("why devices are slower", number("#slower li"), len(slower))
    if len(commands) > 1:
        page.evaluate("[...document.querySelectorAll('#graph button')].forEach(b => b.click())")
        drawn = sum(page.evaluate("[...document.querySelectorAll('#graph svg .node')].map(n => Number(n.querySelector('.faint').textContent.match(/(\\d+) command/)?.[1] ?? 1))"))
        same("commands in the graph", drawn, len(commands))
        places = page.evaluate("[...document.querySelectorAll('#graph .node')].map(n => n.getAttribute('transform'))")
        same("nodes do not cover each other", len(set(places)), len(places))
        before = len(places)
        page.evaluate("document.querySelector('#graph rect.group')?.parentNode.dispatchEvent(new MouseEvent('click'))")
        if len(commands) > 120:
            same("a click opens a layer", number("#graph .node") > before, True)
        check_graph_keys(page)
    with_work = {(one["name"], one["work"]) for one in commands
                 if one["flops"] and (one["hbm_bytes"] or one["bytes"]) and one["end_us"] > one["start_us"]}
    same("circles of the roofline", number("svg.roofline circle"), min(len(with_work), 400))
    if commands:
        word = commands[-1]["name"].split("+")[0]
        page.evaluate(f"""(() => {{ const box = document.getElementById('search'); box.value = {json.dumps(word)};
            box.dispatchEvent(new Event('input')); }})()""")
        found = [one for one in commands if word.lower() in " ".join([one["name"], one["engine"], one["location"], one["bound"],
                                                                       *one["operands"]]).lower()]
        same("commands that a search finds", int(text("#search-count").split()[0]) >= len(found) > 0, True)
        page.evaluate("""(() => { const box = document.getElementById('search'); box.value = '';
            box.dispatchEvent(new Event('input')); })()""")
    comparison = everything.get("comparison")
    shown = next((one for one in comparison["devices"] if one["device"] == prediction["device"]), None) if comparison else None
    same("the comparison", text("#compare-line"), shown and shown["line"])
    if shown:
        same("numbers of the comparison", number("#compare-numbers tbody tr"), len(shown["numbers"]))
        same("commands that changed", number("#compare .scroll:last-child tbody tr"), min(len(shown["commands"]), 30))
    names = page.evaluate("""[...document.querySelectorAll('button, input, select, canvas, a')].filter(e => !(e.textContent.trim() ||
        e.getAttribute('aria-label') || e.title || e.closest('label'))).map(e => e.outerHTML.slice(0, 80))""")
    same("controls without a name", names, [])


def check_passes(page):
    """Steps through the passes: the graph of each, what it made and removed, and why."""
    passes = page.evaluate("JSON.parse(document.getElementById('data').textContent).passes?.passes ?? []")
    rows = "document.querySelectorAll('#passes .passes tbody tr').length"
    same("rows of passes", page.evaluate(rows), len(passes) if len(passes) > 1 else 0)
    if len(passes) < 2:
        return
    for index, one in enumerate(passes):
        if index:
            page.evaluate("document.getElementById('pass-after').click()")
        title = page.evaluate("document.querySelector('#passes h3').textContent")
        same("title of a pass", title, f"{index} of {len(passes) - 1}: {one['pass']}")
        drawn = [page.evaluate(f"document.querySelectorAll('#passes svg {name}').length") for name in (".node", ".made", "path.edge")]
        if one["graph"]:
            nodes, edges = one["graph"]["nodes"], {tuple(edge) for edge in one["graph"]["edges"]}
            same(f"graph after {one['pass']}", drawn, [len(nodes), sum(node["new"] for node in nodes), len(edges)])
        else:
            same(f"nothing is new after {one['pass']}", drawn[1], 0)
        told = page.evaluate("document.querySelectorAll('#passes tr .kind').length")
        same(f"remarks of {one['pass']}", told, min(len(one["remarks"]), 500))
        text = page.evaluate("document.querySelector('#passes').textContent")
        same("what was made is named", all(op["name"] in text for op in one["made"] + one["removed"]), True)
        # Before it: what it removed, as far as the graph of a large model is drawn.
        page.evaluate("document.getElementById('pass-side').click()")
        gone = page.evaluate("document.querySelectorAll('#passes svg .removed').length")
        whole = index and all(not each["graph"] or each["graph"]["all"] == len(each["graph"]["nodes"]) for each in passes)
        same(f"what {one['pass']} removed", gone if whole else 0, len(one["removed"]) if whole else 0)
        page.evaluate("document.getElementById('pass-side').click()")
    page.press("[", "BracketLeft", "[")
    same("[ goes back", page.evaluate("document.querySelector('#passes h3').textContent").split(" ")[0], str(len(passes) - 2))
    page.press("]", "BracketRight", "]")
    same("] goes on", page.evaluate("document.querySelector('#passes h3').textContent").split(" ")[0], str(len(passes) - 1))
    page.evaluate("document.querySelector('#passes table table tr.pick, #passes tr.pick .kind')?.closest('tr').click()")


def check_keys(page):
    """Keys that work wherever the focus is."""
    page.press("?", "Slash", "?")
    same("? lists the keys", page.evaluate("document.getElementById('keys').open"), True)
    page.evaluate("document.getElementById('keys').close()")
    if page.evaluate("document.getElementById('search') !== null"):
        page.press("/", "Slash", "/")
        same("/ searches", page.evaluate("document.activeElement.id"), "search")
        page.evaluate("document.activeElement.blur()")


def check_views(page, path):
    """Dark colours, and paper."""
    page.emulate(dark=True)
    settle(page)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate(dark=False)
    same("dark and light differ", dark != page.evaluate("getComputedStyle(document.body).backgroundColor"), True)
    paper = pathlib.Path(path).with_suffix(".pdf")
    page.print(paper)
    same("the page can be printed", paper.stat().st_size > 10000, True)
    paper.unlink()


def main():
    path, whole = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text())
    everything = whole["predictions"]
    predictions = [one for one in everything if "error" not in one]
    with Page() as page:
        begin = time.monotonic()
        page.open(pathlib.Path(path).resolve().as_uri())
        seconds = time.monotonic() - begin
        same("data of the page", page.evaluate("JSON.parse(document.getElementById('data').textContent).predictions"), predictions)
        numbers = 0
        for device, prediction in enumerate(predictions):
            if len(predictions) > 1:
                page.evaluate(f"document.querySelectorAll('#devices button')[{device}].click()")
            numbers += check_numbers(page, predictions, device)
            if prediction["commands"]:
                check_table(page, prediction)
                check_timeline(page, prediction, device)
            check_memory(page, prediction)
            check_fusions(page, prediction["fusions"])
            check_permutations(page, prediction["permutations"])
            check_sections(page, prediction, whole, device)
            check_text(page, "--no-remarks" not in sys.argv, "--source" in sys.argv)
        summary = page.evaluate("document.getElementById('summary').textContent")
        for one in everything:
            if "error" in one:
                same("the device that refused is named", f"{one['device']} cannot run it: {one['error']}" in summary, True)
        check_passes(page)
        check_keys(page)
        check_views(page, path)
        same("scripts of names that ran", page.evaluate("window.hit === undefined"), True)
        same("elements that names made", page.evaluate("document.querySelectorAll('img, svg:not(.region):not(.curve):not(.graph), b[onmouseover]').length"), 0)
        same("errors in the console", page.errors, [])
        same("what the page fetched", [url for url in page.requests if not url.startswith(("file:", "data:"))], [])
        print(f"{len(predictions)} devices, {numbers} numbers are those of the JSON; loaded in {seconds:.2f} s")


if __name__ == "__main__":
    main()
