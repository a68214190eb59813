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


OVERLAPS = """
const found = [], seen = [];
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth) found.push(`the page is ${wide} pixels wide`);
const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode, parent = node.parentElement;
  if (!node.textContent.trim() || parent.closest("table, script, details, [hidden]") || !parent.getClientRects().length)
    continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) seen.push([box, node.textContent]);
}
for (const canvas of document.querySelectorAll("canvas")) seen.push([canvas.getBoundingClientRect(), "a heat map"]);
for (let i = 0; i < seen.length; i++) for (let j = 0; j < i; j++) {
  const [a, b] = [seen[i][0], seen[j][0]];
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (across > 1.5 && down > 3) found.push(`${seen[i][1]} / ${seen[j][1]}`);
}
return found;
"""
"""Pixels of letters' boxes that lie over each other without their letters touching are left out."""


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

    def lengths(self, figure: int) -> list[list[float]]:
        """Drawn lengths of the bars of a figure of the page, in pixels, row by row."""
        script = (
            "return [...document.querySelectorAll('.figure')[arguments[0]].querySelectorAll('.bars [role=img]')]"
            ".map(row => [...row.querySelectorAll('.part')].map(part => part.getBoundingClientRect().width))"
        )
        return [[float(length) for length in row] for row in self.run(script, figure)]

    def resize(self, width: int, height: int = 1000) -> None:
        """Give the page's viewport another size, as a narrow window has."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def overlaps(self) -> list[str]:
        """Texts that lie over another one, and parts of the page that are wider than the window."""
        return list(self.run(OVERLAPS))

    def complaints(self) -> list[str]:
        """Errors and warnings of the console since the page was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self) -> list[str]:
        """Addresses that the page asked for since it was opened, those within the page itself apart."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        asked = (m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent")
        # The browser's own first page may be late.
        return [address for address in asked if not address.startswith(("data:", "blob:", "chrome:"))]


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
