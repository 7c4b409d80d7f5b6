# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""replays.py show FILE: the members and replay.json of a replay file.
replays.py attack FILE FOLDER: files made of a good one, of which each has one
defect, and the message that gaudi-run must refuse it with; runs them all.
replays.py edit FILE OUT NAME=VALUE...: fields of replay.json, or members, replaced.
replays.py stop FILE FOLDER: stops runs of a replay in several ways; none leaves what
it has unpacked into FOLDER.
replays.py options FILE: each option of --help is in FILE, once."""

import glob
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile

NO_NAME = ", which is not the name of a file below a folder"


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, parts, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in parts:
            archive.writestr(zipfile.ZipInfo(name), data, compression)


def attack(good, folder):
    parts = members(good)
    says = json.loads(parts["replay.json"])
    with open(good, "rb") as file:
        whole = file.read()

    def changed(**fields):
        return list({**parts, "replay.json": json.dumps({**says, **fields})}.items())

    def bytes_of(data):
        return lambda path: open(path, "wb").write(data)

    def archive(content, compression=zipfile.ZIP_STORED):
        return lambda path: write(path, content, compression)

    at = whole.index(parts["model/m.mlir"][:20]) if parts["model/m.mlir"][:20] in whole else None
    assert at is None, "the text of a model is compressed"
    flags = bytearray(whole)
    place = whole.index(b"PK\x01\x02")
    flags[place + 8] |= 1
    method = bytearray(whole)
    method[place + 10] = 12
    directory = bytearray(whole)
    directory[place + 3] = 9
    end = whole.rindex(b"PK\x05\x06")
    longer = bytearray(whole)
    longer[end + 8] = longer[end + 10] = 9
    damaged = bytearray(whole)
    damaged[whole.index(b"GAUDIREC") + 40 if b"GAUDIREC" in whole else 200] ^= 1
    option = lambda name, *value: changed(options=[{"name": name, "value": list(value)}])
    start = ("replay.json", b"{}")
    cases = [
        (bytes_of(whole[: len(whole) // 2]), " is not a whole zip archive: it has no directory; copy it again"),
        (bytes_of(bytes(directory)), " is damaged: member 0 of its directory cannot be read"),
        (bytes_of(bytes(longer)), " is damaged: its directory ends after 3 of 9 members"),
        (bytes_of(bytes(flags)), "'replay.json' is encrypted"),
        (bytes_of(bytes(method)), "is compressed by method 12; expected deflate or none"),
        (bytes_of(bytes(damaged)), " are not those that were written; copy it again"),
        (archive([start, ("../up", b"")]), NO_NAME),
        (archive([start, ("/etc/passwd", b"")]), NO_NAME),
        (archive([start, ("a\\b", b"")]), NO_NAME),
        (archive([start, ("a" * 300, b"")]), NO_NAME),
        (archive([start, *((f"n{i}", b"") for i in range(5000))]), "has 5001 members; at most 4096 are read"),
        (archive([start, ("a", b""), ("a", b"")]), ": two members are called 'a'"),
        (
            archive([start, ("zeros", bytes(70 << 20))], zipfile.ZIP_DEFLATED),
            ": its members unpack to more than 67108864 bytes, 20 times the archive",
        ),
        (archive([("data.pkl", b"x")]), "is a zip archive, but none of --save-replay"),
        (
            archive([("replay.json", b" " * (17 << 20))], zipfile.ZIP_DEFLATED),
            "'replay.json' has 17825792 bytes; at most 16777216 are read",
        ),
        (archive([("replay.json", b"[1")]), "replay.json is not a JSON object"),
        (archive([("replay.json", b"[" * 99999)]), "is not a JSON object that nests at most 16 deep"),
        (archive([("replay.json", b"{}")]), ' is not of a replay file; expected "format": "gaudi-replay"'),
        (archive([("replay.json", b'{"format": "gaudi-replay", "version": 1}')]), "damaged: it has no 'versions'"),
        (archive([("replay.json", b'{"format": "zip"}')]), ' is not of a replay file; expected "format": "gaudi-replay"'),
        (archive(changed(version=2)), "is a replay file of version 2; this gaudi-mlir"),
        (archive(changed(options={})), "is damaged: 'options' is object"),
        (archive(changed(options=[1])), "'options' has an element that is no object"),
        (archive(changed(inputs=[1])), "'inputs' has an element that is no object"),
        (archive(option("seed-inputs", 1)), "the value of the option 'seed-inputs' is number"),
        (archive(changed(inputs=[{"name": "x", "type": "f33"}])), "'f33' is no type of a tensor"),
        (
            archive(changed(inputs=[{"name": "x", "type": "f32", "seed": -1}])),
            "the seed of 'x' is not from 0 to 4294967295",
        ),
        (archive(changed(file="model/other.mlir")), "names 'model/other.mlir', which is not in the archive"),
        (archive(option("output", "@/tmp/x")), "the replay has an option --output, which no replay may have"),
        (archive(option("seed-inputs", {"file": "model/m.mlir"})), "the replay gives a file to --seed-inputs, which takes none"),
        (archive(option("model", "/etc/passwd")), "gives '/etc/passwd' to --model; expected a file in it"),
        (archive(option("model", "secret.txt")), "gives 'secret.txt' to --model; expected a file in it"),
        (archive(option("model")), "gives '' to --model; expected a file in it"),
        (archive(option("bucket-cost", "secret.txt")), "gives 'secret.txt' to --bucket-cost; expected a file in it"),
        (
            archive(option("autocast", "bf16:lower=mylist.txt")),
            "gives 'bf16:lower=mylist.txt' to --autocast; expected a file in it",
        ),
        (
            archive(option("autocast", "bf16:fp8=", {"file": "model/m.mlir"}, "x:fp32=y")),
            "gives 'bf16:fp8=*x:fp32=y' to --autocast; expected a file in it",
        ),
        (
            archive(option("autocast", "bf16:margin=", {"file": "model/m.mlir"})),
            "gives 'bf16:margin=*' to --autocast; expected a file in it",
        ),
        (archive(option("autocast", "bf16:lower=\x01")), "to --autocast; expected printable text"),
        (archive(option("steps", "x")), "the options of '"),
        (
            archive(changed(environment={"LD_PRELOAD": "x.so"})),
            "the replay has an environment variable 'LD_PRELOAD', which no replay may have",
        ),
    ]
    for number, (make, message) in enumerate(cases):
        path = os.path.join(folder, f"{number}.zip")
        make(path)
        done = subprocess.run(["gaudi-run", path], capture_output=True, text=True, check=False)
        assert done.returncode == 2, (message, done)
        assert message in done.stderr and done.stderr.count("\n") == 1, (message, done.stderr)
        os.unlink(path)
    print(f"{len(cases)} refused")


def edit(good, out, fields):
    parts = members(good)
    says = json.loads(parts["replay.json"])
    for field in fields:
        name, value = field.split("=", 1)
        if name in parts:
            with open(value, "rb") as file:
                parts[name] = file.read()
            continue
        says[name] = json.loads(value)
    write(out, {**parts, "replay.json": json.dumps(says)}.items())


def options(path):
    with open(path, encoding="utf-8") as file:
        listed = re.findall(r'^GAUDI_(?:NOT_)?REPLAYED\("([^"]+)"', file.read(), re.M)
    assert len(listed) == len(set(listed)), sorted(listed)
    usage = subprocess.run(["gaudi-run", "--help"], capture_output=True, text=True, check=True).stdout
    said = [name for line in usage.splitlines() if re.match(r" +-", line)
            for name in re.findall(r"--([a-z][-a-z0-9]*)", re.split(r"\s{2,}", line.strip())[0])]
    assert len(said) > 60, said
    for name in said:
        assert name in listed, f"--{name}: is it replayed? Say so in {path}"


def wait(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "waited for 60 s"
        time.sleep(0.01)


def stop(path, folder):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        # A shell in the background ignores SIGINT, and so would what it starts.
        heed = (lambda: None) if number == signal.SIGKILL else lambda: signal.signal(number, signal.SIG_DFL)
        run = subprocess.Popen(["gaudi-run", path], env={**os.environ, "TMPDIR": folder}, preexec_fn=heed)
        wait(lambda: glob.glob(os.path.join(folder, "gaudi-replay-*", "inputs", "0.npy")))
        run.send_signal(number)
        code = run.wait(60)
        assert code == (-number if number == signal.SIGKILL else 128 + number), code
        wait(lambda: not os.listdir(folder))
    print("all is gone")


if sys.argv[1] == "stop":
    stop(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "options":
    options(sys.argv[2])
elif sys.argv[1] == "show":
    contents = members(sys.argv[2])
    print(*contents)
    print(contents["replay.json"].decode())
elif sys.argv[1] == "edit":
    edit(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    attack(sys.argv[2], sys.argv[3])
