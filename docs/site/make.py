"""Makes the site: every page of docs/, a page for each clause of each specification, and the fixtures to download.

usage: make.py PROGRAM OUT

PROGRAM is hepcheck, OUT a directory, which is emptied first. The result is static: no page requests anything from
another host, and every page works when it is opened as a file. Needs cmark-gfm. If hepcheck was built for WebAssembly
(./dev wasm; HEPCHECK_WASM names another directory than build/wasm), the site has a page that examines files."""

import base64
import gzip
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
# Documents outside docs/ that pages link to.
OTHERS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "fixtures/README.md", "bindings/python/README.md",
          *(f"validator/formats/{name}/README.md" for name in ("arrow", "hdf5", "hep001", "rntuple", "tiledb")))
# The generated lists of clauses are replaced by a page for each clause.
REPLACED = re.compile(r"clauses(-.*)?\.md")
NAVIGATION = (("Start", "index.html"), ("Check a file", "try.html"), ("Tutorials", "tutorials/first-table.html"), ("Clauses", "clauses/index.html"),
              ("Programs", "docs/arrow-readers.html"), ("Documentation", "docs/index.html"))


TRY_WORDS = '<a class="button" href="try.html">See it in this browser, or check a file of yours</a>'


def output(*command, check=True, **options):
    return subprocess.run(command, check=check, capture_output=True, text=True, **options).stdout


def text(words):
    return html.escape(str(words))


def prose(words):
    """Text of the catalogue: names in backticks are code."""
    parts = text(words).split("`")
    return "".join(part if i % 2 == 0 else f"<code>{part}</code>" for i, part in enumerate(parts))


WASM = pathlib.Path(os.environ.get("HEPCHECK_WASM", CHECKOUT / "build/wasm"))
STALE = "hep001/invalid/10.4/minmax-min-value--other-chunk.h5"


class Site:
    def __init__(self, program, out):
        self.has_try = (WASM / "hepcheck.wasm").is_file() and (WASM / "hepcheck.cjs").is_file()
        self.program = str(program)
        self.version = output(self.program, "--version").splitlines()[0]
        self.out = out
        self.pages = {}   # documents by their path in the checkout: the path of the page
        self.search = []  # [title, address, words]
        self.specs = self.specifications()
        self.clauses = {spec: self.explained(spec) for spec in self.specs}
        self.fixtures = self.all_fixtures()

    # --- What there is ------------------------------------------------------------------------------

    def specifications(self):
        found = sorted(path.stem for path in (CHECKOUT / "conformance/clauses").glob("*.toml"))
        return {each: self.title(each) for each in found}

    @staticmethod
    def title(spec):
        words = (CHECKOUT / f"conformance/clauses/{spec}.toml").read_text()
        title, revision = (re.search(rf"^{key}\s*=\s*\"(.*)\"$", words, re.MULTILINE) for key in ("title", "revision"))
        return f"{title[1]}, {revision[1]}"

    def explained(self, spec):
        return json.loads(output(self.program, "explain", "*", "--spec", spec, "--format", "json"))

    @staticmethod
    def all_fixtures():
        """For each format and clause: the fixtures that hold it or break it."""
        found = {}
        for manifest in sorted(CHECKOUT.glob("fixtures/*/manifest.json")):
            name = manifest.parent.name
            for each in json.loads(manifest.read_text())["fixtures"]:
                found.setdefault((name, each["clause"]), []).append(each)
        return found

    # --- Pages --------------------------------------------------------------------------------------

    def write(self, address, title, body, about="", policy=""):
        path = self.out / address
        path.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * address.count("/")
        links = "".join(f'<a href="{up}{to}"{" aria-current=page" if to == address else ""}>{text(name)}</a>'
                        for name, to in NAVIGATION if to != "try.html" or self.has_try)
        # What may scroll is reached by keyboard.
        body = re.sub(r'<(pre|div class="wide")', r'<\1 tabindex="0"', body)
        path.write_text(f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">{policy and f"""
<meta http-equiv="Content-Security-Policy" content="{policy}">"""}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)} - hepcheck</title>
<meta name="description" content="{text(about or title)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{up}site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="name" href="{up}index.html">hepcheck</a><nav aria-label="Site">{links}</nav>
<div class="search" role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="clause, word or page" data-up="{up}" aria-controls="results">
<ol id="results" hidden></ol></div></header>
<main id="content">
{body}
</main>
<footer>{text(self.version)}</footer>
<script src="{up}search-data.js" defer></script>
<script src="{up}search.js" defer></script>
</body>
</html>
""", encoding="utf-8")

    def documents(self):
        """The documents of the site and the addresses of their pages."""
        for path in sorted((CHECKOUT / "docs").rglob("*.md")):
            name = str(path.relative_to(CHECKOUT))
            if name.startswith("docs/tutorials/"):
                self.pages[name] = name[len("docs/"):-3] + ".html"
            elif not REPLACED.fullmatch(path.name):
                self.pages[name] = name[:-3] + ".html"
        for name in OTHERS:
            self.pages[name] = "docs/" + name[:-3].lower().replace("/", "-") + ".html"

    def address_of(self, target, document):
        """The address, relative to the site, of what a document links to; None if the site does not have it."""
        target, _, anchor = target.partition("#")
        if not target:
            return "#" + anchor
        path = os.path.normpath(os.path.join(os.path.dirname(document), target))
        anchor = "#" + anchor if anchor else ""
        if path in self.pages:
            return self.pages[path] + anchor
        if REPLACED.fullmatch(os.path.basename(path)):
            return "clauses/index.html"
        if path.startswith("fixtures/") and (CHECKOUT / path).is_file():
            return path
        if path.startswith("docs/") and (CHECKOUT / path).is_file():
            self.copy(path)
            return path
        return None

    def copy(self, path):
        to = self.out / path
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / path, to)

    def rendered(self, document):
        """The HTML of a document: its links lead to pages of the site, and its headings have addresses."""
        body = output("cmark-gfm", "--extension", "table", "--extension", "strikethrough", "--unsafe",
                      str(CHECKOUT / document))
        up = "../" * self.pages[document].count("/")

        def link(found):
            target = html.unescape(found[2])
            if re.match(r"[a-z]+:", target):
                return found[0]
            address = self.address_of(target, document)
            if address is None:
                return f"<code>{found[3]}</code>" if "<code>" not in found[3] else found[3]
            return f'<a href="{text(address if address.startswith("#") else up + address)}">{found[3]}</a>'

        def image(found):
            address = self.address_of(html.unescape(found[1]), document)
            return f'<img src="{text(up + address)}"' if address else found[0]

        used = set()

        def heading(found):
            slug = re.sub(r"[^a-z0-9 _-]", "", html.unescape(re.sub(r"<[^>]*>", "", found[2])).lower()).replace(" ", "-")
            while slug in used:
                slug += "-1"
            used.add(slug)
            return f'<h{found[1]} id="{text(slug)}">{found[2]}</h{found[1]}>'

        body = re.sub(r'<a( )href="([^"]*)">(.*?)</a>', link, body, flags=re.DOTALL)
        body = re.sub(r'<img src="([^"]*)"', image, body)
        body = re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body)
        return body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")

    def write_documents(self):
        listed = []
        for document, address in self.pages.items():
            body = self.rendered(document)
            found = re.search(r"<h1[^>]*>(.*?)</h1>", body)
            title = html.unescape(re.sub(r"<[^>]*>", "", found[1])) if found else document
            if document == "README.md":
                title = "README"
            self.write(address, title, body)
            self.search.append([title, address, "documentation"])
            listed.append((title, address))
        items = "".join(f'<li><a href="{os.path.relpath(to, "docs")}">{text(title)}</a></li>'
                        for title, to in sorted(listed))
        self.write("docs/index.html", "Documentation", f'<h1>Documentation</h1>\n<ul class="plain">{items}</ul>')

    # --- Clauses ------------------------------------------------------------------------------------

    def fixture_items(self, spec, clause, kind, up):
        name = spec_format(spec)
        items = [f'<li><a href="{up}fixtures/{name}/{text(each["file"])}" download>{text(each["file"].rsplit("/", 1)[1])}</a>'
                 f' <span class="quiet">{text(each["shows"])}</span></li>'
                 for each in self.fixtures.get((name, clause), [])
                 if each["kind"] == kind and (CHECKOUT / "fixtures" / name / each["file"]).is_file()]
        return "".join(items)

    def clause_page(self, spec, clause):
        up = "../../"
        body = [f'<p class="path"><a href="index.html">{text(self.specs[spec])}</a>, section {text(clause["section"])}</p>',
                f'<h1 class="clause">{text(clause["id"])}</h1>',
                f'<p class="statement"><span class="level">{text(clause["level"])}</span> {prose(clause["statement"])}</p>']
        for title, key in (("Why it matters", "why"), ("How it is checked", "check"), ("Reading taken", "reading"),
                           ("How to fix it", "fix")):
            if clause.get(key):
                body.append(f"<h2>{title}</h2>\n<p>{prose(clause[key])}</p>")
        example = clause.get("example") or {}
        shown = [(title, example.get(key)) for title, key in (("Broken", "bad"), ("Right", "good"),
                 ("Fix with hepcheck", "hepcheck"), ("Fix with h5py", "python"), ("Fix in C", "c")) if example.get(key)]
        if shown or example.get("shows"):
            body.append("<h2>Example</h2>")
            if example.get("shows"):
                body.append(f"<p>{prose(example['shows'])}</p>")
            body += [f"<h3>{title}</h3>\n<pre><code>{text(code)}</code></pre>" for title, code in shown]
        for title, kind in (("Files that hold it", "valid"), ("Files that break it", "invalid")):
            if items := self.fixture_items(spec, clause["id"], kind, up):
                body.append(f'<h2>{title}</h2>\n<ul class="files">{items}</ul>')
        body.append(f"<pre><code>hepcheck explain {text(clause['id'])}</code></pre>")
        address = f"clauses/{spec}/{clause['id']}.html"
        self.write(address, clause["id"], "\n".join(body), clause["statement"])
        self.search.append([clause["id"], address, f"{clause['statement']} {spec}"])

    def write_clauses(self):
        rows = []
        for spec, title in self.specs.items():
            sections = {}
            for clause in self.clauses[spec]:
                self.clause_page(spec, clause)
                sections.setdefault(clause["section"], []).append(clause)
            body = [f"<h1>{text(title)}</h1>", f"<p><code>{text(spec)}</code>: {len(self.clauses[spec])} clauses.</p>"]
            for section, clauses in sections.items():
                items = "".join(f'<li><a href="{each["id"]}.html"><code>{text(each["id"])}</code></a> '
                                f'<span class="level">{text(each["level"])}</span> {prose(each["statement"])}</li>'
                                for each in clauses)
                body.append(f'<h2 id="section-{text(section)}">{text(section)}</h2>\n<ul class="plain">{items}</ul>')
            self.write(f"clauses/{spec}/index.html", title, "\n".join(body))
            rows.append(f'<tr><th scope="row"><a href="{spec}/index.html">{text(title)}</a></th><td><code>{text(spec)}</code>'
                        f'</td><td class="number">{len(self.clauses[spec])}</td></tr>')
        self.write("clauses/index.html", "Clauses", f"""<h1>Clauses</h1>
<p>Every requirement of a specification is a clause with a permanent id, a page, and files that hold it and break it.</p>
<div class="wide"><table><thead><tr><th scope="col">Specification</th><th scope="col">Id</th><th scope="col">Clauses</th>
</tr></thead><tbody>{"".join(rows)}</tbody></table></div>""")

    def write_start(self):
        report = on_a_terminal([self.program, "validate", "--no-config", "--color", "never", STALE.rsplit("/", 1)[1]],
                               (CHECKOUT / "fixtures" / STALE).parent)
        if "minmax-min-value" not in report:
            raise SystemExit(f"the report about {STALE} does not name the clause: {report}")
        total = sum(map(len, self.clauses.values()))
        words = {"REPORT": text(report.strip()), "FIXTURE": f"fixtures/{STALE}", "TRY": TRY_WORDS if self.has_try else "", "CLAUSES": f"{total:,}",
                 "SPECS": str(len(self.specs)),
                 "FILES": f"{sum(1 for each in self.fixtures.values() for _ in each):,}"}
        body = (HERE / "start.html").read_text()
        for key, value in words.items():
            body = body.replace("{{" + key + "}}", value)
        self.write("index.html", "Is this file what it claims to be?", body,
                   "Conformance validator for columnar data formats")

    def write_try(self):
        """The page that examines files. The program is data in a script, so that the page works when it is opened as a
        file, where pages may not fetch. The report in a frame is bound by the policy of the page, too, so that has to
        permit the style sheet and the script that every report has."""
        report = output(self.program, "validate", "--no-config", "--format", "html", CHECKOUT / "fixtures" / STALE, check=False)
        hashes = {kind: " ".join(re.findall(r"'sha256-[^']+'", re.search(kind + r"-src ([^;\"]*)", report)[1]))
                  for kind in ("script", "style")}
        policy = (f"default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval' {hashes['script']}; worker-src blob:; "
                  f"style-src 'self' {hashes['style']}; img-src data:; base-uri 'none'; form-action 'none'")
        self.write("try.html", "Check a file", (HERE / "try.html").read_text(), "Examines a file in this page, without an upload",
                   policy)
        self.search.append(["Check a file", "try.html", "in the browser, WebAssembly"])
        script = "\n".join(path.read_text() for path in
                           (WASM / "hepcheck.cjs", CHECKOUT / "cli/wasm/host.js", HERE / "try-worker.js"))
        parts = {"script": script,
                 "wasm": base64.b64encode(gzip.compress((WASM / "hepcheck.wasm").read_bytes(), mtime=0)).decode(),
                 "stale": base64.b64encode((CHECKOUT / "fixtures" / STALE).read_bytes()).decode()}
        (self.out / "hepcheck-program.js").write_text(f"window.hepcheckProgram = {json.dumps(parts)};\n", encoding="utf-8")
        shutil.copyfile(HERE / "try.js", self.out / "try.js")

    def make(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.documents()
        self.write_start()
        self.write_documents()
        self.write_clauses()
        if self.has_try:
            self.write_try()
        else:
            print(f"without the page that examines files: there is no build for WebAssembly in {WASM} (./dev wasm)")
        for manifest in CHECKOUT.glob("fixtures/*/manifest.json"):
            shutil.copytree(manifest.parent, self.out / "fixtures" / manifest.parent.name)
        for name in ("site.css", "search.js"):
            shutil.copyfile(HERE / name, self.out / name)
        (self.out / "search-data.js").write_text(
            "window.searchData = " + json.dumps(self.search, separators=(",", ":")) + ";\n", encoding="utf-8")


def on_a_terminal(command, folder):
    """The output of a command as a person sees it."""
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as out:
        with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL,
                              env={**os.environ, "COLUMNS": "100"}):
            os.close(theirs)
            content = b""
            try:
                while part := out.read(65536):
                    content += part
            except OSError:  # Linux: the other end is closed
                pass
    return content.decode().replace("\r\n", "\n")


def spec_format(spec):
    return spec.split("-", 1)[0]


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    site = Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
    site.make()
    print(f"{sum(1 for _ in site.out.rglob('*.html'))} pages in {site.out}")


if __name__ == "__main__":
    main()
