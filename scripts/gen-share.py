#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes man pages and completions for bash and zsh from the help of the tools.

Writes share/man/man1/TOOL.1 (by help2man), share/bash-completion/completions/TOOL and
share/zsh/site-functions/_TOOL below --out. The build runs it (target GaudiShare).
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

# Values of options that their help tells in words.
VALUES = {
    "--device": ["gaudi", "gaudi2", "gaudi3"],
    "--devices": ["gaudi", "gaudi2", "gaudi3"],
    "--report": ["text", "json"],
    "--color": ["auto", "always", "never"],
    "--remarks": ["missed", "all", "summary"],
    "--bucket-cost": ["device-time", "elements"],
    "--disable-fusion": ["sdpa", "adamw", "sgd", "clip_norm", "batch_norm", "tpc"],
    "--strategy": ["optimal", "exponential", "linear", "percent-padding"],
    "--buckets": ["exponential:", "linear:", "optimal:", "percent-padding:", "explicit:"],
    "--allow-permutation": ["inputs", "outputs", "all"],
    "--log": ["error", "info", "verbose"],
    "--remark-policy": ["all", "final"],
}
# Options whose value is a file although their type does not say so.
FILES = {"--explain-recompile", "--cost", "--curve", "--output", "--bucket-cost", "--test"}
OPTION = re.compile(r"^ {1,4}((?:-\w, ?)?--[A-Za-z][\w-]*)(\[?=\S+| \[=[^ ]*\]| [A-Z\[]\S*)?(.*)$")
SUMMARIES = {
    "gaudi-run": "compile, run, compare and predict models on an emulated Gaudi",
    "gaudi-opt": "run passes on a model and print the result",
    "gaudi-lsp-server": "language server for models in MLIR",
    "gaudi-reduce": "make a model that fails as small as it can be",
    "gaudi-smi": "show the cards that this host emulates",
    "plan-buckets": "choose padded sizes to compile for",
    "plan-buffers": "pack buffers with known lifetimes",
}


@dataclass
class Option:
    """An option as the help shows it."""

    names: list[str]  # "--input", "-i"
    value: str = ""  # "FILE"; empty: none
    optional: bool = False  # --name or --name=VALUE
    help: str = ""
    words: list[str] = field(default_factory=list)

    @property
    def long(self) -> str:
        return self.names[-1]

    @property
    def takes_file(self) -> bool:
        return "FILE" in self.value or self.long in FILES

    @property
    def takes_folder(self) -> bool:
        return self.value == "DIR"


def read_help(tool: pathlib.Path) -> list[Option]:
    """The options in the help of the tool, in its order."""
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    options: list[Option] = []
    for line in text.splitlines():
        match = OPTION.match(line)
        if not match:
            short = re.match(r"^  (-\w) (FILE)\s+(\S.*)$", line)
            if short:
                options.append(Option([short[1]], short[2], False, short[3]))
            continue
        names = [name.strip() for name in match[1].split(",")]
        value = (match[2] or "").strip()
        optional = value.startswith("[=")
        if optional:
            value = value.strip("[]")
        # Without what CLI11 appends: limits and the default.
        value = re.sub(r"(?<=\w)[:=].*", "", value.lstrip("="))
        option = Option(names, value, optional, match[3].strip().lstrip("- "))
        option.words = VALUES.get(option.long, [])
        options.append(option)
    if not options:
        sys.exit(f"gen-share: '{tool} --help' lists no options")
    return options


def bash(tool: str, options: list[Option]) -> str:
    """A completion for bash: names of options, then their values, else files."""
    function = "_" + tool.replace("-", "_")
    names = []
    cases = []
    for option in options:
        takes = bool(option.value)
        names += [name + ("=" if takes and not option.optional and name.startswith("--") else "")
                  for name in option.names]
        if option.optional:
            names.append(option.long + "=")
        pattern = "|".join(option.names)
        if option.words and not option.takes_file:
            cases.append(f'    {pattern}) COMPREPLY=($(compgen -W "{" ".join(option.words)}" '
                         '-- "$word")) ;;')
        elif option.words:
            cases.append(f'    {pattern}) COMPREPLY=($(compgen -W "{" ".join(option.words)}" '
                         '-- "$word") $(compgen -f -- "$word")) ;;')
        elif option.takes_folder:
            cases.append(f'    {pattern}) COMPREPLY=($(compgen -d -- "$word")) ;;')
        elif takes:
            # Values such as NAME=@FILE end in a file, too.
            cases.append(f'    {pattern}) COMPREPLY=($(compgen -f -P "${{word%%[^@]*}}" -- '
                         '"${word#@}")) ;;')
    lines = [
        f"# Completion of {tool} for bash; generated from its help.",
        f"{function}() {{",
        "  local word=${COMP_WORDS[COMP_CWORD]} option=",
        "  COMPREPLY=()",
        "  # bash makes words of their own of `=`.",
        "  if [[ $word == = ]]; then",
        "    option=${COMP_WORDS[COMP_CWORD-1]} word=",
        "  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then",
        "    option=${COMP_WORDS[COMP_CWORD-2]}",
        "  elif [[ $word == --*=* ]]; then",
        "    option=${word%%=*} word=${word#*=}",
        "  elif [[ $word != -* ]]; then",
        "    option=${COMP_WORDS[COMP_CWORD-1]}",
        "  fi",
        "  case $option in",
        *cases,
        "    *)",
        "      if [[ $word == -* ]]; then",
        f'        COMPREPLY=($(compgen -W "{" ".join(names)}" -- "$word"))',
        "        [[ ${COMPREPLY[0]} == *= && ${#COMPREPLY[@]} -eq 1 ]] && compopt -o nospace",
        "      else",
        '        COMPREPLY=($(compgen -f -- "$word"))',
        "      fi ;;",
        "  esac",
        "  return 0",
        "}",
        f"complete -o filenames -F {function} {tool}",
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Text inside a specification of zsh's _arguments, in single quotes."""
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text.replace("'", "'\\''")


def zsh(tool: str, options: list[Option]) -> str:
    """A completion for zsh."""
    lines = [f"#compdef {tool}", f"# Generated from the help of {tool}.", "_arguments -S \\"]
    for option in options:
        if option.words:
            action = "(" + " ".join(option.words).replace(":", "\\:") + ")"
        elif option.takes_folder:
            action = "_files -/"
        else:
            action = "_files"
        for name in option.names:
            spec = f"[{quoted(option.help)}]"
            if option.optional:
                spec = f"=-{spec}::value:{action}"
            elif option.value:
                equals = "=" if name.startswith("--") else ""
                spec = f"{equals}{spec}:{quoted(option.value)}:{action}"
            lines.append(f"  '*{name}{spec}' \\")
    lines.append("  '*:file:_files'")
    return "\n".join(lines) + "\n"


def man(tool: pathlib.Path, version: str, out: pathlib.Path) -> None:
    """The man page, by help2man."""
    subprocess.run(
        ["help2man", "--no-info", "--section=1", f"--name={SUMMARIES[tool.name]}",
         f"--version-string={version}", "--source=gaudi-mlir", "--manual=gaudi-mlir",
         f"--output={out}", tool],
        check=True, env={**os.environ, "LC_ALL": "C"})
    # CLI11 writes "-h,--help", of which help2man makes only the first bold.
    text = re.sub(r"^\\fB\\-(\w)\\fR,\\-\\-((?:\w|\\-)+)",
                  r"\\fB\\-\1\\fR, \\fB\\-\\-\2\\fR", out.read_text(), flags=re.M)
    out.write_text(text)


def main() -> None:
    """Writes the files of all tools."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="share/ of an installation")
    parser.add_argument("--version", required=True)
    arguments = parser.parse_args()
    folders = {name: arguments.out / path
               for name, path in (("man", "man/man1"), ("bash", "bash-completion/completions"),
                                  ("zsh", "zsh/site-functions"))}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    for name in SUMMARIES:
        tool = arguments.bin / name
        options = read_help(tool)
        (folders["bash"] / name).write_text(bash(name, options))
        (folders["zsh"] / f"_{name}").write_text(zsh(name, options))
        man(tool, arguments.version, folders["man"] / f"{name}.1")


if __name__ == "__main__":
    main()
