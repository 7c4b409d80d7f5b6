#!/usr/bin/env python3
"""Validates JSON files against the schema that each one names, strictly.

Usage: validate.py FOLDER FILE... FOLDER has gaudi-run-KIND.schema.json. Besides what a schema
says for users, no key may be there that it does not describe.
"""

import json
import pathlib
import sys
from typing import Any

import jsonschema


def strict(schema: Any) -> Any:
    """The schema with no other keys than those it describes."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: strict(value) for key, value in schema.items()}
    if isinstance(result.get("properties"), dict) and result.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def main() -> None:
    """Prints 'FILE: valid NAME/VERSION' for each file, or fails."""
    folder = pathlib.Path(sys.argv[1])
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        name, version = document["schema"].split("/")
        schema = json.loads((folder / f"{name}.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        if schema["properties"]["schema"]["const"] != f"{name}/{version}":
            sys.exit(f"{path}: another version than the schema's: {version}")
        validator = jsonschema.Draft202012Validator(strict(schema))
        for error in sorted(validator.iter_errors(document), key=lambda e: list(e.absolute_path)):
            place = "/".join(map(str, error.absolute_path))
            print(f"{path}: {place}: {error.message[:300]}")
            sys.exit(1)
        print(f"{pathlib.Path(path).name}: valid {name}/{version}")


if __name__ == "__main__":
    main()
