"""KiB of the last-level cache as a made folder tells it, file by file."""
import os
import sys

from harness import host

cpu = min(os.sched_getaffinity(0))
os.sched_setaffinity(0, [cpu])


def put(index: int, part: str, text: str) -> None:
    folder = "%s/cpu%d/cache/index%d" % (sys.argv[1], cpu, index)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, part), "w") as stream:
        stream.write(text + "\n")


def show(what: str) -> None:
    print("%s: %d" % (what, host.last_level_cache(1, sys.argv[1]) >> 10))


show("nothing")
for part, text in (("level", "2"), ("size", "512K"), ("shared_cpu_list", "0")):
    put(0, part, text)
show("one")
put(1, "level", "3")
show("no size")
put(1, "size", "4096K")
show("no list")
put(1, "shared_cpu_list", "0-1")
show("two")
put(1, "size", "none")
show("no number")
