"""What gaudi-import says of files and without packages; needs neither torch nor jax nor onnx."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import zipfile

from gaudi_mlir.importer import __main__ as command
from gaudi_mlir.importer import kinds
import gaudi_mlir
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
    (b"GGUF\x03\0\0\0", "is a GGUF file of weights"),
    (b"\x40\0\0\0\0\0\0\0{\"w\":", "is a safetensors file of weights"),
    (b"\x89HDF\r\n\x1a\n", "is an HDF5 file, such as Keras writes"),
    (b"\x7fELF\x02\x01\x01\0\0\0", "is not a model that gaudi-import reads"),
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
    ("data.pkl", "has weights that torch.save wrote"),
    ("other", "is a zip archive, but not of torch.export"),
])
def test_archives(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], member: str,
                  message: str) -> None:
    with zipfile.ZipFile(tmp_path / "model.pt2", "w") as archive:
        archive.writestr(f"model/{member}", b"")
    code, error = run(capsys, str(tmp_path / "model.pt2"))
    assert code == 2 and message in error


def test_usage(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing.onnx")
    assert run(capsys, missing) == (
        2, f"gaudi-import: error: cannot read '{missing}': No such file or directory\n")
    model = tmp_path / "model.mlir"
    model.write_text("module {}")
    assert "would replace the model itself; name another file with -o" in run(
        capsys, str(model), "-o", str(model))[1]
    assert "--opset is for ONNX models" in run(
        capsys, str(model), "--opset=17", "-o", str(tmp_path / "o.mlir"))[1]
    assert "--size is for ONNX and torch.export models" in run(
        capsys, str(model), "--size=n=3", "-o", str(tmp_path / "o.mlir"))[1]
    for size in ("n", "n=", "n=3..", "n=8..3"):
        with pytest.raises(SystemExit) as ending:
            command.main([str(model), f"--size={size}"])
        assert ending.value.code == 2
    capsys.readouterr()


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
