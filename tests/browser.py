"""A headless Chromium for tests of pages, without a network."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ARGUMENTS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1300,1000",
    # Names resolve to nothing: what a page fetches from elsewhere fails, as it would without a network.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


class Browser:
    """What tests ask of an open page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path) -> None:
        """Load a file, with the network off; what was logged before is forgotten."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.resolve().as_uri())

    def run(self, script: str, *arguments: object) -> Any:
        """What a JavaScript function body returns."""
        return self.driver.execute_script(script, *arguments)

    def count(self, selector: str) -> int:
        """So many elements."""
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def texts(self, selector: str) -> list[str]:
        """Text of each element that can be seen."""
        script = "return [...document.querySelectorAll(arguments[0])].filter(e => e.offsetParent).map(e => e.innerText)"
        return list(self.run(script, selector))

    def heights(self, figure: int) -> list[float]:
        """Drawn heights of the bars of a figure of the page, in pixels, series by series."""
        script = (
            "return [...document.querySelectorAll('.figure')[arguments[0]].querySelectorAll('.bars .point path')]"
            ".map(path => path.getBBox().height)"
        )
        return [float(height) for height in self.run(script, figure)]

    def complaints(self) -> list[str]:
        """Errors and warnings of the console since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was opened, those within the page itself apart."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        asked = (m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent")
        return [address for address in asked if not address.startswith(("data:", "blob:"))]


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile folder, closed in the end."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium's own sandbox does not run as root.
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
        )
        yield Browser(driver)
    finally:
        driver.quit()
