"""Compares the options in the help of tools with their pages and completions.

Usage: options.py SHARE TOOL...
"""

import pathlib
import re
import subprocess
import sys

share = pathlib.Path(sys.argv[1])
for tool in sys.argv[2:]:
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, flags=re.M)
    page = (share / "man/man1" / f"{tool}.1").read_text().replace("\\-", "-")
    zsh = (share / "zsh/site-functions" / f"_{tool}").read_text()
    for option in options:
        for name, content in (("page", page), ("completion", zsh)):
            if option not in content:
                sys.exit(f"{tool}: {option} is missing in the {name}")
    print(f"{tool}: {len(options)} options")
