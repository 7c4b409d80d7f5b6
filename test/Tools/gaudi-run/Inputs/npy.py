"""Makes and checks .npy files for the tests.

usage: npy.py make FILE DTYPE EXPRESSION [fortran]   (numpy is np)
       npy.py is   FILE DTYPE EXPRESSION             (bit-exact, shape included)
"""
import sys

import numpy as np

action, path, dtype, expression = sys.argv[1:5]
wanted = np.asarray(eval(expression)).astype(np.dtype(dtype), copy=False)
if action == "make":
    np.save(path, np.asfortranarray(wanted) if "fortran" in sys.argv else wanted)
else:
    got = np.load(path)
    if got.shape != wanted.shape or got.tobytes() != wanted.tobytes() or got.dtype != wanted.dtype:
        sys.exit(f"expected {wanted.dtype} {wanted!r} but got {got.dtype} {got!r}")
