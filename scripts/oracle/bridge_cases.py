# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest: runs the cases that GAUDI_BRIDGE_JOB lists, or only collects, and writes what becomes of each as a
line of JSON at once, so that what was done is known also if the process dies."""
import json
import os
import pathlib

import bridge_skips

JOB = json.loads(pathlib.Path(os.environ["GAUDI_BRIDGE_JOB"]).read_text())
REPORT = open(JOB["report"], "a", buffering=1)
LISTED = "Test present in skip_tests_list"  # what the suite's conftest gives as the reason


def say(**fields):
    REPORT.write(json.dumps(fields) + "\n")


def is_listed(item):
    return any(LISTED in str(mark.args or mark.kwargs.get("reason")) for mark in item.iter_markers("skip"))


def pytest_collection_modifyitems(session, config, items):
    if JOB.get("cases") is not None:
        wanted = set(JOB["cases"])
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
        items[:] = [item for item in items if item.nodeid in wanted]


def pytest_collection_finish(session):
    if JOB.get("cases") is None:
        for item in session.items:
            say(case=item.nodeid, listed=is_listed(item))
    say(collected=len(session.items))


def pytest_collectreport(report):
    if report.failed:
        say(file=report.nodeid, reason=last_line(report))


def last_line(report):
    lines = [line for line in report.longreprtext.splitlines() if line.startswith("E ")]
    lines = lines or report.longreprtext.splitlines()
    return lines[-1].removeprefix("E").strip()[:500] if lines else ""


def pytest_runtest_logstart(nodeid, location):
    say(begin=nodeid)


def pytest_runtest_logreport(report):
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        if hasattr(report, "wasxfail"):
            say(case=report.nodeid, verdict="passed", reason="fails as the suite expects")
        elif LISTED in reason:
            say(case=report.nodeid, verdict="listed", reason=reason[-500:])
        else:
            path, line = report.longrepr[:2] if isinstance(report.longrepr, tuple) else ("", 0)
            say(case=report.nodeid, verdict="skipped", reason=reason[-500:], where=f"{path}:{line}",
                by=bridge_skips.cause(str(path), line, reason))
    elif report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        say(case=report.nodeid, verdict="failed", reason=(crash.message if crash else report.longreprtext)[:1500],
            seconds=report.duration, where=f"{crash.path}:{crash.lineno}" if crash else "")
    elif report.when == "call":
        say(case=report.nodeid, verdict="passed", seconds=report.duration)
