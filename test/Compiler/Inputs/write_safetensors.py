"""Writes FILE.safetensors, whole or damaged in one way.

usage: write_safetensors.py FILE [DAMAGE]
"""
import json
import struct
import sys

import numpy


def main(path, damage=""):
    arrays = {
        "w": ("F32", numpy.arange(1, 7, dtype="<f4").reshape(2, 3)),
        "mask": ("BOOL", numpy.array([1, 0, 2 if damage == "boolean" else 1], "u1")),
        "half": ("BF16", numpy.array([0x3F80, 0x4000, 0x4040], "<u2")),
        "n": ("U32", numpy.array([5, 7, 9], "<u4")),
    }
    if damage == "type":
        arrays["w"] = ("I32", arrays["w"][1].astype("<i4"))
    elif damage == "shape":
        arrays["w"] = ("F32", arrays["w"][1].reshape(3, 2))
    elif damage == "missing":
        del arrays["w"]
    elif damage == "alone":
        arrays = {"w": arrays["w"]}
    header, data = {"__metadata__": {"format": "np"}}, b""
    for name, (kind, array) in arrays.items():
        header[name] = {"dtype": kind, "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (damage != "unaligned" and -len(text) % 8)
    text += b" " * (damage == "unaligned" and -len(text) % 8 + 1)
    content = struct.pack("<Q", len(text)) + text + data
    with open(path, "wb") as file:
        file.write(content[:-1] if damage == "truncated" else content)


main(*sys.argv[1:])
