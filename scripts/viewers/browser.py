# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headless Chromium over the DevTools protocol, with nothing but Python's own library.

Debian's package is chromium-headless-shell. Messages are JSON, ended by a zero byte, on file descriptors 3 and 4 of the
browser (--remote-debugging-pipe).
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class BrowserError(Exception):
    pass


class Page:
    """One page of one browser; leaving the `with` block ends the browser."""

    def __init__(self, width=1280, height=800, dark=False, timeout=120):
        self.timeout, self.number, self.received = timeout, 0, b""
        self.errors = []  # of the console, and exceptions that nothing caught
        self.requests = []  # addresses that the page asked for
        self.loaded = False
        self.profile = tempfile.TemporaryDirectory(prefix="gaudi-browser-")
        self.start(width, height)
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")
        self.emulate(dark)

    def start(self, width, height):
        to_browser, self.out = os.pipe()
        self.incoming, from_browser = os.pipe()
        command = [find() or NAMES[0], "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--window-size={width},{height}",
                   f"--user-data-dir={self.profile.name}", "about:blank"]
        # The shell gives the pipes the numbers 3 and 4; a descriptor of ours may have one of them.
        words = f'exec "$@" 3<&{to_browser} 4>&{from_browser} {to_browser}<&- {from_browser}>&-'
        if {to_browser, from_browser} & {3, 4}:
            to_browser, from_browser = (os.dup(fd) for fd in (to_browser, from_browser))
            words = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["bash", "-c", words, "bash", *command], pass_fds=(to_browser, from_browser),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.send("Browser.close")
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.incoming)
        self.profile.cleanup()

    def emulate(self, dark):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def send(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        wanted = self.number
        while True:
            answer = self.receive()
            if answer.get("id") != wanted:
                self.note(answer)
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def receive(self):
        end = time.monotonic() + self.timeout
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.incoming], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise BrowserError(f"the browser gave no answer in {self.timeout} s")
            data = os.read(self.incoming, 1 << 20)
            if not data:
                raise BrowserError("the browser ended")
            self.received += data
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(given.get("value", given.get("description")))
                                        for given in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, url):
        """Loads an address; seconds until its load event."""
        self.loaded = False
        begin = time.monotonic()
        answer = self.send("Page.navigate", url=url)
        if "errorText" in answer:
            raise BrowserError(f"{url}: {answer['errorText']}")
        while not self.loaded:
            self.note(self.receive())
        return time.monotonic() - begin

    def evaluate(self, expression):
        """The value of a JavaScript expression; a promise is awaited."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def press(self, key, code=None, text=""):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, text=text if kind == "keyDown" else "")

    def mouse(self, kind, x, y, **parameters):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **parameters)

    def screenshot(self, path):
        """What is in view: PNG, or WebP for a path that ends so."""
        form = {"format": "webp", "quality": 60} if str(path).endswith(".webp") else {"format": "png"}
        data = self.send("Page.captureScreenshot", **form)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self, path):
        """The page as it is printed, as PDF."""
        data = self.send("Page.printToPDF", printBackground=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
