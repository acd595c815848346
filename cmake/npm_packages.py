"""Installs what a test needs from npm: npm_packages.py PACKAGE_JSON DIRECTORY.

If npm or a package registry is not available, the status is 77 (skipped) and the reason is
printed."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def program(*names):
    found = next(filter(None, map(shutil.which, names)), None)
    return found or skip(f"there is no {' or '.join(names)} on this machine")


def installed(package_json, folder):
    """Whether the packages are installed in exactly the versions that are named."""
    wanted = json.loads(package_json.read_text())["dependencies"]
    def version(name):
        file = folder / "node_modules" / name / "package.json"
        return json.loads(file.read_text())["version"] if file.exists() else None
    return all(version(name) == wanted[name] for name in wanted)


def install(package_json, folder):
    npm = program("npm")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(package_json, folder)
    if installed(package_json, folder):
        return
    command = [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts",
               "--fetch-retries=1", "--prefix", str(folder)]
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        skip("npm took too long to reach a package registry")
    if not installed(package_json, folder):
        skip(f"npm could not install the packages:\n{result.stdout}{result.stderr}")


def test_in_browser(package_json, folder, test, prepare):
    """Runs the test file in node with its packages and Chromium; the exit status. `prepare` returns the test's
    variables, and is called only if nothing is missing."""
    environment = dict(os.environ, CHROMIUM=program(*BROWSERS), NODE_PATH=str(folder / "node_modules"))
    if not installed(package_json, folder):
        skip("the packages were not installed (see report_browser_packages)")
    environment.update(prepare())
    # Node looks for modules next to the file that imports them.
    shutil.copy(test, folder)
    return subprocess.run([program("node"), "--test", "--test-reporter=spec", test.name], cwd=folder,
                          env=environment).returncode


if __name__ == "__main__":
    install(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:]))
