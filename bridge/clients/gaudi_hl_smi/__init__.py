# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hl-smi: what gaudi-smi says of the cards of this host, in the layout that programs for Gaudi
parse. What an emulated card has not got (fans, watts, serial numbers) is N/A."""
import argparse
import difflib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import time

DISTRIBUTION = "habana-torch-plugin"
# Of the firmware: a card that is emulated runs none, yet programs look for a number here.
FIRMWARE = "0.0.0"
MIB = 1 << 20
# Name of the product, MiB of its memory, PCI number.
PRODUCTS = {"gaudi": ("HL-205", 32768, "0x1da31000"), "gaudi1": ("HL-205", 32768, "0x1da31000"),
            "gaudi2": ("HL-225", 98304, "0x1da31020"), "gaudi3": ("HL-325L", 131072, "0x1da31060")}
MISSING = "N/A"


def version() -> str:
    return importlib.metadata.version(DISTRIBUTION)


def cards() -> list[dict]:
    """What gaudi-smi prints of each card; the program is beside this one, or on the path."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "gaudi-smi")
    program = beside if os.access(beside, os.X_OK) else shutil.which("gaudi-smi")
    if program is None:
        sys.exit("error: gaudi-smi is neither beside hl-smi nor on the path; install the wheel "
                 "gaudi-mlir, or put build/release/bin on the path")
    done = subprocess.run([program, "--json"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["cards"]
    except (ValueError, KeyError):
        sys.exit(done.stderr.strip() or "error: gaudi-smi printed no cards")


class Card:
    """One line of the tables."""

    def __init__(self, state: dict) -> None:
        self.index = state["card"]
        self.process = state.get("process")
        kind = state.get("device") or os.environ.get("GAUDI_DEVICE") or "gaudi2"
        if kind not in PRODUCTS:
            sys.exit(f"error: unknown device '{kind}' (GAUDI_DEVICE), expected one of "
                     + ", ".join(PRODUCTS))
        self.product, self.total, self.pci = PRODUCTS[kind]
        memory = state.get("memory", {})
        self.used = -(-memory.get("used", 0) // MIB)
        self.total = memory.get("limit", 0) // MIB or self.total
        # Of the MME or the TPCs, since the card was opened.
        busy = state.get("utilization", {})
        self.busy = min(100, round(100 * max(busy.get("MME", 0), busy.get("TPC", 0))))
        # No bus has it: an address that no other card has.
        self.bus = f"0000:{self.index:02x}:00.0"


# What -Q knows: a unit, and the value of a card. All else that hl-smi documents is N/A.
QUERIES = {
    "timestamp": ("", lambda card: time.strftime("%a %b %e %H:%M:%S %Z %Y")),
    "name": ("", lambda card: card.product),
    "bus_id": ("", lambda card: card.bus),
    "driver_version": ("", lambda card: f"{version()}-emulated"),
    "index": ("", lambda card: card.index),
    "module_id": ("", lambda card: card.index),
    "utilization.aip": ("%", lambda card: card.busy),
    "memory.total": ("MiB", lambda card: card.total),
    "memory.free": ("MiB", lambda card: card.total - card.used),
    "memory.used": ("MiB", lambda card: card.used),
}
WITHOUT_VALUE = {
    "temperature.aip", "serial", "uuid", "power.draw", "ecc.mode.current", "ecc.mode.pending",
    "stats.violation.power", "stats.violation.thermal"} | {
    f"ecc.errors.{kind}.{span}.total" for kind in ("corrected", "uncorrected", "dram",
                                                   "dram-corrected")
    for span in ("aggregate", "volatile")}


def table(found: list[Card]) -> str:
    """The summary: two lines of versions, two of each card, one of each process."""
    line = "+" + "-" * 77 + "+"
    columns = "|" + "-" * 31 + "+" + "-" * 22 + "+" + "-" * 22 + "+"
    rows = [line,
            f"| {'HL-SMI Version:':<43}{f'hl-{version()}-fw-{FIRMWARE}':>23}          |",
            f"| {'Driver Version:':<43}{f'{version()}-emulated':>23}          |",
            columns,
            "| AIP  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |",
            "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | AIP-Util  Compute M. |",
            columns.replace("-", "=")[:-1] + "|"]
    for card in found:
        usage = f"{card.used}MiB / {card.total}MiB"
        rows += [f"|{card.index:>4}  {card.product:<20} N/A |{card.bus:>13}     N/A |"
                 f"{'0':>20}  |",
                 f"| N/A   N/A   N/A      N/A / N/A|{usage:>22}|{card.busy:>6}%           N/A |",
                 columns]
    rows += ["| Compute Processes:                                               AIP Memory |",
             "|  AIP       PID   Type   Process name                             Usage      |",
             "|" + "=" * 77 + "|"]
    for card in found:
        pid, kind, name, usage = (card.process["pid"], "C", " ".join(card.process["name"].split())[:38],
                                  f"{card.used}MiB") if card.process else (MISSING,) * 4
        rows.append(f"|{card.index:>4}{pid:>11}   {kind:<7}{name:<41}{usage:<11}|")
    return "\n".join([*rows, "+" + "=" * 77 + "+"]) + "\n"


def details(found: list[Card]) -> str:
    """A paragraph of each card."""
    rows = ["================ HL-SMI LOG ================", ""]

    def row(key: str, value, depth: int = 0) -> None:
        rows.append(f"{'        ' * depth}{key:<{40 - 8 * depth}}: {value}")

    row("Timestamp", time.strftime("%a %b %e %H:%M:%S %Z %Y"))
    row("Driver Version", f"{version()}-emulated")
    row("HL-SMI Version", f"hl-{version()}-fw-{FIRMWARE}")
    rows.append("")
    row("Attached AIPs", len(found))
    for card in found:
        rows += ["", f"[{card.index}] AIP (accel{card.index}) {card.bus}"]
        for key, value in (("Product Name", card.product), ("Serial Number", MISSING),
                           ("Module status", "Operational"), ("Module ID", card.index),
                           ("AIP UUID", MISSING)):
            row(key, value, 1)
        row("Firmware [SPI] Version", f"Preboot version hl-{version()}-fw-{FIRMWARE}", 1)
        rows.append("        PCI")
        row("Device Id", card.pci, 2)
        row("Bus Id", card.bus, 2)
        rows.append("        Memory Usage")
        row("Total", f"{card.total} MB", 2)
        row("Used", f"{card.used} MB", 2)
        row("Free", f"{card.total - card.used} MB", 2)
    return "\n".join(rows) + "\n"


def values(found: list[Card], names: list[str], options: list[str]) -> str:
    """-Q: comma-separated values."""
    unknown = [name for name in names if name not in QUERIES and name not in WITHOUT_VALUE]
    if unknown:
        near = difflib.get_close_matches(unknown[0], [*QUERIES, *WITHOUT_VALUE], 1)
        sys.exit(f"error: hl-smi -Q has no value '{unknown[0]}'; "
                 + (f"did you mean '{near[0]}'?" if near else f"it has {', '.join(QUERIES)}"))
    if options[:1] != ["csv"] or not set(options[1:]) <= {"noheader", "nounits"}:
        sys.exit(f"error: -f is '{','.join(options)}'; expected csv, with noheader and nounits if "
                 "wanted (csv,noheader)")

    def cell(name: str, card: Card) -> str:
        unit, value = QUERIES.get(name, ("", lambda _: MISSING))
        return f"{value(card)} {unit}" if unit and "nounits" not in options else str(value(card))

    def heading(name: str) -> str:
        unit = QUERIES.get(name, ("",))[0]
        return f"{name} [{unit}]" if unit else name

    rows = [] if "noheader" in options else [", ".join(map(heading, names))]
    return "\n".join([*rows, *(", ".join(cell(name, card) for name in names)
                               for card in found)]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser("hl-smi", description="Shows the emulated cards of this host "
                                     "in the layout of the tool of this name.")
    parser.add_argument("-L", "--list-aips", action="store_true", help="a paragraph of each card")
    parser.add_argument("-i", "--device", metavar="BUS", help="only the card of this Bus-Id")
    parser.add_argument("-l", "--loop", nargs="?", type=float, const=5, metavar="SECONDS",
                        help="again and again (5)")
    parser.add_argument("-v", "--version", action="store_true", help="versions")
    parser.add_argument("-Q", "--query-aip", metavar="NAMES", help="values, separated by commas: "
                        + ", ".join(QUERIES))
    parser.add_argument("-f", "--format", default="csv", metavar="csv[,noheader][,nounits]",
                        help="of -Q")
    options = parser.parse_args()
    if options.loop is not None and not 0 < options.loop < 1e6:
        parser.error(f"-l {options.loop:g}: expected seconds above 0")
    if options.version:
        built = time.strftime("%b %d %Y - %H:%M:%S",
                              time.gmtime(os.path.getmtime(os.path.abspath(__file__))))
        print(f"gaudi-mlir hl-smi version hl-{version()}-fw-{FIRMWARE} ({built})")
        return 0
    while True:
        found = [card for card in map(Card, cards())
                 if options.device in (None, card.bus)]
        if options.device and not found:
            sys.exit(f"error: no card has the Bus-Id '{options.device}'; they have "
                     + ", ".join(card.bus for card in map(Card, cards())))
        if options.query_aip:
            names = [name.strip() for name in options.query_aip.split(",")]
            text = values(found, names, [each.strip() for each in options.format.split(",")])
        else:
            text = details(found) if options.list_aips else table(found)
        print(text, end="", flush=True)
        if options.loop is None:
            return 0
        time.sleep(options.loop)
