"""The benchmarks with Ctrl-C while the last row is measured; prints their exit code."""
import signal
import sys

from harness import main

signal.signal(signal.SIGINT, signal.default_int_handler)
main.AXES[-1] = ("load", main.single("load-400mb",
                                     lambda bench, key: signal.raise_signal(signal.SIGINT)))
code = main.main()
print("exit code %d" % code)
sys.exit(code)
