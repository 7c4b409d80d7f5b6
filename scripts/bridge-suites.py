#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges PyTorch's own suites (op_db by type and form, module_db) on tensors of "hpu"; may be interrupted.

Usage: bridge-suites.py [OPTIONS OF torch-suites.py] [SUITE...]

Suites: "op_db float32", "op_db float32 in place", "op_db float32 out" (writes to `out`), "op_db float32 views" (of
operands that are not contiguous), "op_db float32 backward", the same of bfloat16 and, but for gradients, of int64;
"module_db float32", "module_db float32 backward", and those of bfloat16; default: all. "on the host" means right, but
an op ran on the CPU, "refused" that something is raised which the CPU does not raise; the share is of what is right
without either. The state is in build/bridge-suites.jsonl. Exit code 1 if a value is wrong, something is raised, or a
process died or hung, or less than --least percent are right without the CPU.
"""
import importlib.util
import os
import pathlib
import sys

os.environ.setdefault("PT_HPU_LAZY_MODE", "0")  # ops one by one; with 1, lazily

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    spec = importlib.util.spec_from_file_location("torch_suites_script", ROOT / "scripts" / "torch-suites.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    import bridge_suites
    return script.main(bridge_suites.SUITES, ROOT / "build" / "bridge-suites.jsonl", __doc__,
                       ("wrong", "crashed", "hung", "refused", "in part"))


if __name__ == "__main__":
    sys.exit(main())
