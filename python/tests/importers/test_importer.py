# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gaudi-import says of files and without packages; needs neither torch nor jax nor onnx."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import zipfile

from gaudi_mlir import importer, weights
from gaudi_mlir.importer import __main__ as command
from gaudi_mlir.importer import kinds, modules
from gaudi_mlir.errors import FileError
import gaudi_mlir
import numpy
import pytest


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = command.main(list(arguments))
    return code, capsys.readouterr().err


@pytest.mark.parametrize("content, kind", [
    (b"\x08\x08\x12\x07pytorch", kinds.Kind.ONNX),
    (b"ML\xefR\x0dStableHLO_v1.9.0\0rest", kinds.Kind.PORTABLE),
    (b"ML\xefR\x06MLIR24.0.0git\0rest", kinds.Kind.BYTECODE),
    (b"module {\n}\n", kinds.Kind.TEXT),
    (b"#loc = loc(unknown)\n// \xc3\xa9\n", kinds.Kind.TEXT),
    (b"\x24\0\0\0\0\0\0\0\0\0\x1e\0\x14\0", kinds.Kind.JAX),
])
def test_kinds(tmp_path: pathlib.Path, content: bytes, kind: kinds.Kind) -> None:
    (tmp_path / "model").write_bytes(content)
    assert kinds.of_file(str(tmp_path / "model")) is kind


@pytest.mark.parametrize("content, message", [
    (b"", "the file is empty"),
    (b"GAUDIREC....", "is a recipe already; run it: gaudi-run "),
    (b"\x80\x02}q\0.", "is a pickle, such as torch.save writes; load it in Python"),
    (b"\x1c\0\0\0TFL3rest", "is a TensorFlow Lite model; convert it to TOSA"),
    (b"version https://git-lfs.github.com/spec/v1\noid",
     "is a pointer of Git LFS, not the file itself; fetch it: git lfs pull"),
    (b"GGUF\x03\0\0\0", "is a GGUF file of weights"),
    (b"\x40\0\0\0\0\0\0\0{\"w\":", "is a safetensors file of weights"),
    (b"\x89HDF\r\n\x1a\n", "is an HDF5 file, such as Keras writes"),
    (b"\x7fELF\x02\x01\x01\0\0\0", "is not a model that gaudi-import reads"),
    (b"\x80\x05\x95", "is a pickle, such as torch.save writes; load it in Python"),
    (b"\x93NUMPY\x01\0", "is an array of NumPy, not a model; it can be an input: gaudi-run MODEL "),
    (b"\x1f\x8b\x08\0", "is compressed; unpack it first: gunzip "),
    (b"\0" * 257 + b"ustar", "is a tar archive; unpack it first"),
    (b"{\"a\": 1}", "is JSON, not a model; name an ONNX, "),
    (b"\n<!DOCTYPE html>\n<html>", "is a page of HTML, as a site shows in the place of a file; download "),
    (b"<?xml version", "is XML, not a model; name an ONNX, "),
])
def test_other_formats(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], content: bytes,
                       message: str) -> None:
    (tmp_path / "model").write_bytes(content)
    code, error = run(capsys, str(tmp_path / "model"), "-o", str(tmp_path / "out.mlir"))
    assert code == 2
    assert error.startswith("gaudi-import: error: ") and error.count("\n") == 1
    assert message in error
    assert not (tmp_path / "out.mlir").exists()


@pytest.mark.parametrize("member, message", [
    ("constants.pkl", "is a program of TorchScript"),
    ("data/aotinductor/model/c0.so", "is a package of AOTInductor, which has code for this host and no "),
    ("data.pkl", "has weights that torch.save wrote"),
    ("other", "is a zip archive, but not of torch.export; unpack it, and name the model in it"),
    ("replay.json", "is a replay file; run it: gaudi-run "),
    ("a.npy", "has arrays of NumPy, not a model; each can be an input"),
])
def test_archives(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], member: str,
                  message: str) -> None:
    with zipfile.ZipFile(tmp_path / "model.pt2", "w") as archive:
        archive.writestr(f"model/{member}", b"")
    code, error = run(capsys, str(tmp_path / "model.pt2"))
    assert code == 2 and message in error
    content = (tmp_path / "model.pt2").read_bytes()
    (tmp_path / "model.pt2").write_bytes(content[:len(content) // 2])
    assert "is a damaged zip archive: File is not a zip file; copy it or save it again" in run(
        capsys, str(tmp_path / "model.pt2"))[1]


def test_usage(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.onnx")
    assert run(capsys, missing) == (
        2, f"gaudi-import: error: cannot read '{missing}': No such file or directory; give the path "
        "of a file that exists\n")
    model = tmp_path / "model.mlir"
    model.write_text("module {}")
    assert "would replace the model itself; name another file with -o" in run(
        capsys, str(model), "-o", str(model))[1]
    assert "--opset is for ONNX models" in run(
        capsys, str(model), "--opset=17", "-o", str(tmp_path / "o.mlir"))[1]
    assert "--size is for ONNX and torch.export models" in run(
        capsys, str(model), "--size=n=3", "-o", str(tmp_path / "o.mlir"))[1]
    for name, kind in (("table.csv", "text (.csv)"), ("train.py", "a program of Python")):
        (tmp_path / name).write_text("a, b\n")
        assert f"'{tmp_path / name}' is {kind}, not a model; " in run(
            capsys, str(tmp_path / name), "-o", str(tmp_path / "o.mlir"))[1]
    assert "--size has 'n' 2 times; give it once" in run(capsys, str(model), "--size=n=1", "--size=n=2")[1]
    assert "mkdir -p" in run(capsys, str(model), "-o", str(tmp_path / "none" / "o.mlir"))[1]
    for wrong, said in (("--sizes=n=3", "unrecognized arguments: --sizes=n=3; did you mean '--size'?"),
                        ("--opset=0", "argument --opset: '0' is not a whole number from 1 up; see ")):
        with pytest.raises(SystemExit):
            command.main([str(model), wrong])
        assert f"gaudi-import: error: {said}" in capsys.readouterr().err
    for wrong, said in (("--batch=4", "a size is given as --size=batch=4"),
                        ("--input-shape=x:2", "sizes are given by their names: --size=NAME=8"),
                        ("--device=gaudi3", "give it to gaudi-run: --device=gaudi3"),
                        ("out.mlir", "the text goes to a file by -o out.mlir"),
                        ("other.onnx", "it takes one model"), ("--size=n=1-64", "did you mean n=1..64?"),
                        ("--size=n=0", "sizes begin at 1"), ("--size=n=0..0", "sizes begin at 1")):
        with pytest.raises(SystemExit):
            command.main([str(model), wrong])
        assert said in capsys.readouterr().err
    assert command._size("n=0..8") == ("n", (0, 8))
    for size in ("n", "n=", "n=3..", "n=8..3", "n=1..8/0"):
        with pytest.raises(SystemExit) as ending:
            command.main([str(model), f"--size={size}"])
        assert ending.value.code == 2
    capsys.readouterr()


def test_files_of_others_stay(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
                              capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.mlir").write_text("module {}")
    (tmp_path / "m.mlir").write_text("// mine")
    assert run(capsys, "models/m.mlir") == (
        2, "gaudi-import: error: 'm.mlir' exists, and was not written by gaudi-import, so that it is not "
        "replaced; name another file, or this one, with -o: -o m.mlir\n")
    assert (tmp_path / "m.mlir").read_text() == "// mine"
    text = weights.Text("module {}", {})
    assert not weights.is_own("m.mlir")
    assert text.save("m.mlir") == ["m.mlir"] and weights.is_own("m.mlir")
    text.resources["w"] = numpy.ones(3, numpy.float32)
    assert text.save("m.mlir") == text.save("m.mlir") == ["m.mlir", "m.safetensors"]
    with open("m.mlir", "a") as file:
        file.write("// a note\n")
    assert weights.is_own("m.mlir")
    # Of an earlier version, which left no mark; and one that names other weights.
    (tmp_path / "m.mlir").write_text('module attributes {gaudi.resource_file = "m.safetensors"} {}')
    (tmp_path / "n.mlir").write_text('module attributes {gaudi.resource_file = "m.safetensors"} {}')
    assert weights.is_own("m.mlir") and not weights.is_own("n.mlir")
    monkeypatch.setattr(importer, "import_model", lambda *_, **__: text)
    (tmp_path / "n.mlir").unlink()
    (tmp_path / "n.safetensors").write_bytes(b"mine")
    (tmp_path / "models" / "n.mlir").write_text("module {}")
    assert run(capsys, "models/n.mlir") == (
        2, "gaudi-import: error: 'n.safetensors' exists, and was not written by gaudi-import, so that it is "
        "not replaced; name another file with -o, or replace it: -o n.mlir\n")
    assert (tmp_path / "n.safetensors").read_bytes() == b"mine"
    for options in (["-o", "n.mlir"], []):
        assert run(capsys, "models/n.mlir", *options)[0] == 0
    assert (tmp_path / "n.safetensors").read_bytes() != b"mine"
    with pytest.raises(FileError, match="^'m.mlirbc': what is written is MLIR text; name it 'm.mlir'"):
        text.save("m.mlirbc")
    with pytest.raises(FileError, match="^'m.onnx': what is written is MLIR text; name it 'm.mlir'"):
        text.save("m.onnx")


@pytest.mark.parametrize("content, missing, package", [
    (b"\x08\x08\x12\x07pytorch", "onnx", "onnx==1.23.2"),
    (b"\x08\x08\x12\x07pytorch", "torch_mlir", "torch-mlir==20261001"),
    (b"ML\xefR\x0dStableHLO_v1.9.0\0rest", "jax", "jax==0.10.2"),
    (b"ML\xefR\x06MLIR24.0.0git\0rest", "torch_mlir", "torch-mlir==20261001"),
    (b"PK", "torch", "torch==2.13.0"),
])
def test_missing_packages(tmp_path: pathlib.Path, content: bytes, missing: str,
                          package: str) -> None:
    """One line, whichever other packages there are."""
    model = tmp_path / "model"
    if content == b"PK":
        with zipfile.ZipFile(model, "w") as archive:
            archive.writestr("model/models/model.json", b"{}")
    else:
        model.write_bytes(content)
    # The others are there, as far as an import shows.
    program = (
        "import sys, types\n"
        "for name in ('onnx', 'torch', 'torch_mlir', 'jax', 'jaxlib'):\n"
        "    if name not in sys.modules: sys.modules[name] = types.ModuleType(name)\n"
        f"sys.modules['{missing}'] = None\n"
        + ("sys.modules['jax'] = sys.modules['jaxlib'] = None\n" if missing == "torch_mlir" else "")
        + "from gaudi_mlir import importer\n"
        "sys.exit(importer.main(sys.argv[1:]))\n")
    done = subprocess.run([sys.executable, "-c", program, str(model), "-o",
                           str(tmp_path / "o.mlir")],
                          env={**os.environ, "PYTHONPATH": str(
                              pathlib.Path(gaudi_mlir.__file__).absolute().parents[1])},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1 and f"pip install {package}" in done.stderr, done.stderr


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        command.main(["--help"])
    assert ending.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text and "exit codes:" in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        command.main(["--version"])
    assert ending.value.code == 0
    assert capsys.readouterr().out == f"gaudi-import {gaudi_mlir.__version__}\n"


def test_outputs_that_are_not_files(tmp_path: pathlib.Path,
                                    capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "model.mlir"
    model.write_text("module {}")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        assert run(capsys, str(model), "-o", str(path)) == (
            2, f"gaudi-import: error: cannot write '{path}': it exists and is not a regular file; "
            "name another file\n")
    assert pipe.is_fifo()
    assert "writes files, not standard output" in run(capsys, str(model), "-o", "-")[1]


LARGE = weights.Text("module {\n}\n", {"w": numpy.zeros(4, numpy.float32)})


def test_save_writes_what_a_link_names(tmp_path: pathlib.Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).symlink_to(tmp_path / f"{name}.mlir")
    (tmp_path / "old.mlir").write_text("before")
    for name in ("old", "new"):
        LARGE.save(tmp_path / name)
        assert (tmp_path / name).is_symlink()
        assert "gaudi.resource_file" in (tmp_path / f"{name}.mlir").read_text()


def test_save_leaves_other_files(tmp_path: pathlib.Path) -> None:
    """Neither the text nor the weights replace a pipe, and nothing else is written then."""
    os.mkfifo(tmp_path / "a.mlir")
    os.mkfifo(tmp_path / "b.safetensors")
    for name, culprit in (("a.mlir", "a.mlir"), ("b.mlir", "b.safetensors")):
        with pytest.raises(OSError, match="not a regular file") as error:
            LARGE.save(tmp_path / name)
        assert error.value.filename == str(tmp_path / culprit)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mlir", "b.safetensors"]
    with pytest.raises(OSError, match="not a place for files"):
        LARGE.save("/proc/self/model.mlir")


def test_save_names_the_file_that_fails(tmp_path: pathlib.Path) -> None:
    with pytest.raises(OSError) as error:
        LARGE.save(tmp_path / "missing" / "model.mlir")
    assert error.value.filename == str(tmp_path / "missing" / "model.mlir")
    assert str(error.value).endswith(f"make its folder first: mkdir -p '{tmp_path}/missing'")


def test_file_is_named_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether or not the error of the conversion names it."""
    class OnnxError(Exception):
        pass

    path = str(tmp_path / "model.onnx")
    pathlib.Path(path).write_bytes(b"\x08\x08\x12\x07pytorch")
    for said in (f"'{path}': not an ONNX model", "not an ONNX model"):
        def fail(*_, said=said, **__):
            raise OnnxError(said)

        fake = type(sys)("gaudi_mlir.onnx")
        fake.to_mlir = fail
        monkeypatch.setitem(sys.modules, "gaudi_mlir.onnx", fake)
        monkeypatch.setattr(gaudi_mlir, "onnx", fake, raising=False)
        with pytest.raises(importer.ConversionError) as error:
            importer.import_model(path)
        assert str(error.value) == f"'{path}': not an ONNX model"


def test_reason_of_a_parse_error() -> None:
    """The first diagnostic, not the heading of the exception's text."""
    class Diagnostic:
        location = 'loc("-":3:9)'
        message = "unregistered operation\n'torch.bad'"

    class MLIRError(Exception):
        error_diagnostics = [Diagnostic()]

    assert modules._reason([], MLIRError("Unable to parse module assembly:\n...")) == \
        "line 3, column 9: unregistered operation 'torch.bad'"


def launch(program: str, *arguments: str, **options) -> subprocess.Popen:
    """The command as the wheel installs it, after a few lines of a test. It does not ignore
    interrupts, as what a shell starts in the background does."""
    folder = pathlib.Path(gaudi_mlir.__file__).absolute().parents[1]
    return subprocess.Popen(
        [sys.executable, "-c", f"import sys\n{program}\n"
         "import gaudi_import\nsys.exit(gaudi_import.main(sys.argv[1:]))", *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **options)


@pytest.mark.parametrize("missing", ["numpy", "ml_dtypes"])
def test_missing_numpy(missing: str) -> None:
    command = launch(f"sys.modules['{missing}'] = None", "--help")
    out, error = command.communicate()
    assert command.returncode == 2 and not out
    assert error.count("\n") == 1 and "run: pip install numpy ml_dtypes" in error, error


# Waits where numpy is imported, and where the model is read.
INTERRUPTED = {
    "imports": """
import importlib.abc
class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == 'numpy':
            print('ready', flush=True)
            while True: pass
sys.meta_path.insert(0, Slow())""",
    "writes": """
from gaudi_mlir import importer, weights
def write(path, **_):
    def content(file):
        print('ready', flush=True)
        while True: pass
    weights._replace_file(sys.argv[-1], content)
importer.import_model = write""",
}


@pytest.mark.parametrize("moment", INTERRUPTED)
def test_interrupt(tmp_path: pathlib.Path, moment: str) -> None:
    (tmp_path / "model.mlir").write_text("module {}")
    command = launch(INTERRUPTED[moment], str(tmp_path / "model.mlir"), "-o",
                     str(tmp_path / "out.mlir"))
    assert command.stdout is not None and command.stdout.readline() == "ready\n"
    command.send_signal(signal.SIGINT)
    assert command.communicate(timeout=60) == ("", "")
    assert command.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["model.mlir"]
