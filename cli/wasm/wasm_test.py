"""Tests the build for WebAssembly in Node, as the npm package has it. The environment names HEPCHECK, the native program,
and may name HEPCHECK_WASM, the build (build/wasm). Without a build or node the status is 77 and the reason is printed."""

import filecmp
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = CHECKOUT / "fixtures"
WASM = pathlib.Path(os.environ.get("HEPCHECK_WASM", CHECKOUT / "build/wasm"))
sys.path[:0] = [str(CHECKOUT / "packaging")]


class Wasm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from build import npm_files

        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.package = cls.folder / "node_modules/hepcheck"
        cls.package.parent.mkdir()
        npm_files(WASM, cls.package, "")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def native(self, *words, **options):
        return subprocess.run([os.environ["HEPCHECK"], *map(str, words)], capture_output=True, cwd=FIXTURES, **options)

    def wasm(self, *words, **options):
        return subprocess.run(["node", str(self.package / "hepcheck.mjs"), *map(str, words)], capture_output=True, cwd=FIXTURES,
                              **options)

    def both(self, *words):
        """The reports of both programs, as files."""
        files = [self.folder / "native.json", self.folder / "wasm.json"]
        ends = [run("validate", "--no-config", "--format", f"json={file}", "--summary", *words)
                for run, file in zip((self.native, self.wasm), files)]
        self.assertIn(ends[0].returncode, (0, 1, 3), ends[0].stderr)
        self.assertEqual(ends[0].returncode, ends[1].returncode, ends[1].stderr)
        self.assertEqual(ends[0].stdout, ends[1].stdout)
        return files

    def test_reports_about_all_fixtures_are_equal(self):
        for name in ("arrow", "hdf5", "hep001", "rntuple", "tiledb"):
            for words in ([], ["--spec", "hdf5"]) if name in ("hdf5", "hep001") else ([],):
                native, wasm = self.both(*words, name)
                self.assertGreater(native.stat().st_size, 1_000_000)
                self.assertTrue(filecmp.cmp(native, wasm, shallow=False), f"{name} {words}")

    def test_array_directories(self):
        for path in sorted((FIXTURES / "tiledb").rglob("*.tar"))[::10]:
            array = self.folder / "arrays" / path.stem
            array.mkdir(parents=True)
            subprocess.run(["tar", "-xf", path, "-C", array], check=True)
        native, wasm = self.both(self.folder / "arrays")
        self.assertGreater(len(json.loads(native.read_text())["files"]), 3)
        self.assertEqual(native.read_text(), wasm.read_text())

    def test_other_formats_of_the_report(self):
        file = "hep001/invalid/10.4/minmax-min-value--other-chunk.h5"
        for form in ("text", "html", "sarif", "junit", "markdown"):
            words = ["validate", "--no-config", "--format", form, file]
            native, wasm = (re.sub(rb'timestamp="[^"]*"', b"", run(*words).stdout) for run in (self.native, self.wasm))
            self.assertEqual(native, wasm, form)

    def test_other_commands(self):
        file = "hep001/valid/14.1/worked-example-accepted--five-rows.h5"
        for words in (["explain", "minmax-min-value"], ["layout", file], ["chunks", file], ["--version"]):
            native, wasm = self.native(*words), self.wasm(*words)
            self.assertEqual((native.returncode, native.stdout), (wasm.returncode, wasm.stdout), words)
        self.assertEqual(self.wasm("export", file, "x").returncode, 2)

    def test_standard_input(self):
        for file in ("arrow/valid/2.1/arrow-body-padded-to-8--seven-and-one.arrows",
                     "hep001/valid/14.1/worked-example-accepted--five-rows.h5"):
            content = (FIXTURES / file).read_bytes()
            words = ["validate", "--no-config", "--format", "json", "-"]
            self.assertEqual(self.native(*words, input=content).stdout, self.wasm(*words, input=content).stdout)

    def test_library(self):
        script = self.folder / "check_node.mjs"
        shutil.copy(CHECKOUT / "packaging/check_node.mjs", script)
        subprocess.run(["node", script, FIXTURES], check=True, cwd=self.folder)

    def test_large_file(self):
        """All values are read, progress is told, memory is bounded, and a run can be cancelled."""
        big = self.folder / "big.h5"
        subprocess.run([sys.executable, CHECKOUT / "docs/site/big_table.py", big], check=True)
        script = self.folder / "big.mjs"
        script.write_text("""
import assert from "node:assert";
import { validate } from "hepcheck";
const [big] = process.argv.slice(2), heard = [];
const report = await validate(big, { onProgress: (each) => heard.push(each) });
assert.equal(report.files[0].tables[0].shape.nrows, 125000000);
assert.ok(heard.length > 3, String(heard.length));
assert.ok(heard.at(-1).done > 0.5e9 && heard.at(-1).expected >= heard.at(-1).done, JSON.stringify(heard.at(-1)));
const most = process.resourceUsage().maxRSS / 1024;
assert.ok(most < 400, `${most} MiB`);
const cancel = new AbortController();
await assert.rejects(validate(big, { signal: cancel.signal, onProgress: () => cancel.abort() }), { name: "AbortError" });
""")
        subprocess.run(["node", script, big], check=True, cwd=self.folder)


if __name__ == "__main__":
    if not (WASM / "hepcheck.wasm").exists():
        print(f"skipped: there is no build for WebAssembly in {WASM} (./dev wasm)")
        sys.exit(77)
    if not shutil.which("node"):
        print("skipped: there is no node on this machine")
        sys.exit(77)
    sys.exit(unittest.main())
