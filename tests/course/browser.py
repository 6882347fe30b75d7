"""A headless Chromium, driven through Debian's chromedriver: real keys, real pointer, no package.

WebDriver is JSON over HTTP, so the standard library is enough.
"""

import base64
import json
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
DRIVER = shutil.which("chromedriver")
MISSING = "needs chromium and chromedriver" if not (CHROMIUM and DRIVER) else ""
KEYS = {"left": "\ue012", "right": "\ue014", "home": "\ue011", "end": "\ue010", "tab": "\ue004"}
PATIENCE = 120  # seconds for one answer, on a busy machine
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@contextmanager
def chromium():
    """A Browser that is gone afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen([DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL)
    try:
        browser = Browser(f"http://127.0.0.1:{port}")
        try:
            yield browser
        finally:
            browser.send("DELETE", "")
    finally:
        driver.terminate()
        driver.wait(20)


class Browser:
    def __init__(self, address):
        options = {"binary": CHROMIUM, "args": FLAGS}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        wanted["timeouts"] = {"script": 1000 * PATIENCE}
        self.address = address
        started = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}}, 30)
        self.address += f"/session/{started['sessionId']}"

    def send(self, method, path, data=None, patience=0):
        """The value that the driver answers; RuntimeError with its words where it refuses."""
        body = None if data is None else json.dumps(data).encode()
        request = Request(self.address + path, body, {"Content-Type": "application/json"})
        request.method = method
        until = time.monotonic() + patience
        while True:
            try:
                with urlopen(request, timeout=PATIENCE) as answer:
                    return json.load(answer)["value"]
            except HTTPError as error:
                raise RuntimeError(json.load(error)["value"]["message"]) from None
            except URLError:  # the driver is not up yet
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def open(self, path):
        self.send("POST", "/url", {"url": path if "://" in str(path) else path.as_uri()})

    def run(self, script, *values):
        """What a script returns; a promise is waited for."""
        return self.send("POST", "/execute/sync", {"script": script, "args": list(values)})

    def wait_for(self, script, *values, seconds=20):
        """The value of a script as soon as it is true."""
        until = time.monotonic() + seconds
        while not (value := self.run(script, *values)):
            if time.monotonic() > until:
                raise TimeoutError(script)
            time.sleep(0.05)
        return value

    def wait_for_drawing(self):
        """Wait until the page has drawn whatever it has heard of so far."""
        two = "requestAnimationFrame(() => requestAnimationFrame(done))"
        self.run(f"return new Promise(done => {two})")

    def press(self, *keys):
        """Keys that a person types, by name or as they are."""
        actions = []
        for key in (KEYS.get(key, key) for key in keys):
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.act({"type": "key", "id": "keys", "actions": actions})

    def draw(self, points, kind="mouse"):
        """Press at the first point of the window, move through the others, let go."""
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in points]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        for move in moves:
            move["duration"] = 5
        actions = [moves[0], down, *moves[1:], up]
        self.act(
            {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}
        )

    def act(self, source):
        self.send("POST", "/actions", {"actions": [source]})

    def cdp(self, command, **values):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def media(self, **features):
        """What the page is told: media(prefers_color_scheme="dark")."""
        told = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.cdp("Emulation.setEmulatedMedia", features=told)

    def size(self, width, height=800):
        settings = {"deviceScaleFactor": 1, "mobile": False}
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, **settings)

    def errors(self):
        """What the console has said since the last call, warnings and errors."""
        entries = self.send("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.send("GET", "/screenshot")))
