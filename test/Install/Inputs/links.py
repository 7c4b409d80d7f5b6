"""links.py FOLDER: fails for links of the pages in it to files that do not exist."""
import pathlib
import re
import sys

folder = pathlib.Path(sys.argv[1])
pages = list(folder.rglob("*.md"))
dead = [f"{page.relative_to(folder)}: {link}" for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)", page.read_text())
        if "://" not in link and not (page.parent / link).exists()]
sys.exit("\n".join(dead) if dead or not pages else 0)
