#!/usr/bin/env python3
"""Compares a text of the specification with the clause catalogue, sentence by sentence.

Each clause stores the fingerprints of the sentences that it is derived from. For a new text this
script lists the clauses whose sentence changed or disappeared, and the sentences with a key word (MUST,
SHOULD, MAY ...) that no clause claims. TEXT may be the Markdown source or a plain rendering; a
sentence has the same fingerprint in both as far as the rendering allows. Exit status: 0 if
there is no difference, 1 if there is one, 2 for invalid usage.
"""

import argparse
import difflib
import hashlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import catalogues

CATALOGUE = Path(__file__).parent / "clauses" / "hep001-2026-06-16.toml"
KEY_WORD = re.compile(r"\b(MUST|SHOULD|MAY|SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\b")
# A sentence less similar than this is a different sentence and not a new wording. The old sentence is a
# better reference than the clause, which states the same in other words.
ALIKE_SENTENCE, ALIKE_STATEMENT = 0.5, 0.3


@dataclass
class Sentence:
    text: str
    section: str   # "10.4"; empty before the first heading
    line: int      # where it starts in the text

    @property
    def fingerprint(self):
        """16 hex digits, of the text without white space, section numbers and markup.

        Asterisks and brackets in code cannot be distinguished from markup, and are ignored too.
        """
        return hashlib.sha256(bare(self.text).encode()).hexdigest()[:16]


def bare(text):
    """The significant text of a sentence. Renderings lose spaces next to code, so spaces are ignored."""
    text = re.sub(r"(§|\bSection\s*|\bTable\s*)\d+(\.\d+)*", "§", text)
    text = text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'})
    return re.sub(r"[\s`*|\[\]\u00a0\u200b]+", "", text)


# --- from a text to sentences --------------------------------------------------------------------

def is_markdown(text):
    return re.search(r"^(## |```|\([\w-]+\)=$)", text, re.MULTILINE) is not None


def sentences(text):
    """The sentences of a text in order; lines of code and rows of tables are treated as sentences."""
    found, section, prose = [], "", []
    pieces = markdown_pieces(text) if is_markdown(text) else plain_pieces(text)
    for number, kind, content in [*pieces, (0, "heading", "")]:
        if kind == "prose":
            prose.append((number, content))
            continue
        found += split(section, prose)
        prose = []
        if kind == "heading":
            section = content
        elif bare(content).strip("-:"):
            found.append(Sentence(content, section, number))
    return found


def split(section, lines):
    """The sentences of running text, which is given as numbered lines.

    A list belongs to the sentence that introduces it, because renderings do not separate its items.
    """
    text = "\n".join(line for _, line in lines)
    start, found = 0, []
    # Renderings may lose the space after a full stop. A full stop in e.g., i.e., etc. ends no sentence.
    for end in re.finditer(r"(?<!\be)(?<!\bi)(?<!e\.g)(?<!i\.e)(?<!etc)[.!?][\"'\u201d\u2019)]*"
                           r"(?=\s|[A-Za-z])|\Z", text):
        piece = text[start:end.end()]
        if bare(piece):
            first = start + len(piece) - len(piece.lstrip())
            found.append(Sentence(" ".join(piece.split()), section,
                                  lines[text.count("\n", 0, first)][0]))
        start = end.end()
    return found


def markdown_pieces(text):
    """Lines of MyST Markdown without markup: (number, "prose", "line" or "heading", content)."""
    counts, fences = [0, 0], []  # the open blocks: "note", "table", "mermaid", "code"
    text = re.sub(r"\A---\n.*?\n---$", lambda match: "\n" * match[0].count("\n"), text,
                  flags=re.DOTALL | re.MULTILINE)
    for number, line in enumerate(resolve_references(text).splitlines(), 1):
        content = re.sub(r"[`*]", "", re.sub(r"^([*:-]|\d+\.) +", "", line.strip()))
        fence = re.match(r"\s*```(?:\{(\w+)\})?\s*(.*)", line)
        heading = re.match(r"(#+) ", line)
        if fence:
            opens = fence[1] or not fences
            fences = [*fences, fence[1] or "code"] if opens else fences[:-1]
            yield number, "line", fence[2] if fence[1] else ""  # the caption of a table
        elif fences[-1:] == ["mermaid"]:
            continue
        elif fences[-1:] == ["code"]:
            yield number, "line", line.strip()
        elif heading:
            level = len(heading[1]) - 2
            if level in (0, 1):
                counts[level] += 1
                counts[level + 1:] = [0] * (1 - level)
            yield number, "heading", ".".join(str(count) for count in counts if count)
        elif content.count("|") > 1:
            yield number, "line", content
        elif content and not re.fullmatch(r"\([\w-]+\)=|:\w+:.*|\[[^\]]+\]: \S+", content):
            yield number, "prose", content


def resolve_references(text):
    """Cross-references and links as a rendering shows them; the number of lines does not change."""
    titles = {label: title if marks == "##" else "\u00a70" for label, marks, title in
              re.findall(r"^\(([\w-]+)\)=\n(#+) (.*)$", text, re.MULTILINE)}

    def keeping_lines(shown):
        return lambda match: shown(match) + "\n" * match[0].count("\n")
    for pattern, shown in (
            (r"\{numref\}`[^`<]*<[\w-]+>`", lambda match: "\u00a70"),
            (r"\{ref\}`([^`<]+?)\s*<[\w-]+>`", lambda match: match[1].replace("\n", " ")),
            (r"\{ref\}`([\w-]+)`", lambda match: titles.get(match[1], "\u00a70")),
            (r"\[([^\]\n]+)\](?:\[[^\]]*\]|\(\S+?\))", lambda match: match[1])):
        text = re.sub(pattern, keeping_lines(shown), text)
    return text


# Code in a rendering as text: braces, paths, fields, assignments of a single value.
CODE = re.compile(r"""\} | \w+\ \{$ | ("\w+"\ +)?\w+;$ | /\w[\w/]*(\ +\(|$) | \w+\(.*\)\ =
                      | \u2026$ | .*:\ u?int\d+[,}].*
                      | [\w-]+\ +=\ +("[^"]*"|\[[^\]]*\]|[\w()/]+)(\ +\(.*\))?$""", re.VERBOSE)


def plain_pieces(text):
    """The same for a rendering as text, in which headings end in a pilcrow."""
    section = ""
    for number, line in numbered_lines(text):
        # Defined terms and their definitions are separated by "- ".
        content = re.sub(r"^- |(?<=[\w)])- (?=[A-Z])|(?<=\. )- ", " ", line.strip()).strip()
        heading = re.fullmatch(r"(\d+(?:\.\d+)*)?(.*)\u00b6", content)
        if heading:
            section = heading[1] or section
            yield number, "heading", section
        elif content.count("|") > 1 or CODE.match(content):
            yield number, "line", content
        elif content:
            yield number, "prose", content


def numbered_lines(text):
    """The lines of a rendering, with the missing line breaks before and after code restored."""
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(?<=[^\s\d.])(\d+\.\d+[A-Z][^\u00b6]*\u00b6)$", r"\n\1", line)
        line = re.sub(r"(^\}|_[a-z]+)(?=(?:For|Producers|Consumers) )", r"\1\n", line)
        yield from ((number, part) for part in line.split("\n"))


# --- from sentences to a report ------------------------------------------------------------------

@dataclass
class Change:
    clause: dict
    fingerprint: str   # the fingerprint that the text no longer has
    was: Sentence      # if the old text is given
    now: Sentence      # the nearest new sentence; None if none is similar


@dataclass
class Comparison:
    unchanged: list    # clauses
    changes: list      # Change, in the order of the catalogue; those of one clause are adjacent
    came: list         # sentences with a key word that no clause claims
    not_looked_for: list  # clauses from notes, when the text has none

    @property
    def changed(self):
        return [change for change in self.changes if change.now]

    @property
    def went(self):
        return [change for change in self.changes if not change.now]


def compare(catalogue, text, old_text=None):
    """The matches of the text with the catalogue, clause by clause."""
    found = sentences(text)
    present = {sentence.fingerprint for sentence in found}
    old = {sentence.fingerprint: sentence for sentence in sentences(old_text or "")}
    claimed = {fingerprint for clause in catalogue["clause"] for fingerprint in clause["fingerprint"]}
    fresh = [s for s in found if s.fingerprint not in claimed]
    result = Comparison([], [], [], [])
    for clause in catalogue["clause"]:
        missing = [each for each in clause["fingerprint"] if each not in present]
        if not missing:
            result.unchanged.append(clause)
        elif clause["basis"] == "note" and not is_markdown(text):
            result.not_looked_for.append(clause)  # renderings have no notes
        else:
            result.changes += [
                Change(clause, each, old.get(each), nearest(clause, old.get(each), fresh))
                for each in missing]
    remarks = set(catalogue["specification"].get("remarks", ()))
    taken = {change.now.fingerprint for change in result.changed}
    came = {s.fingerprint: s for s in fresh if s.section and KEY_WORD.search(s.text)}
    result.came = [s for each, s in came.items() if each not in remarks | taken]
    return result


def nearest(clause, was, fresh):
    """The new sentence most similar to the old one, or to the clause."""
    if was:
        bound, alike = ALIKE_SENTENCE, lambda s: difflib.SequenceMatcher(
            None, words(was.text), words(s.text), autojunk=False).ratio()
    else:
        about = set(words(clause["statement"] + " " + clause["id"].replace("-", " ")))
        bound, alike = ALIKE_STATEMENT, lambda s: (
            len(about & set(words(s.text))) / len(about)
            + (0.1 if s.section == clause["section"] else 0))
    best = max(fresh, key=alike, default=None)
    return best if best and alike(best) >= bound else None


COMMON = set("a an and any are as be by each every for from in is it its must no not of on or should"
             " that the this to with which".split())


def words(text):
    return [word for word in re.findall(r"\w+", text.lower()) if word not in COMMON]


def report(result, out):
    for title, changes in (("changed", result.changed), ("went", result.went)):
        by_sentence = {}  # several clauses may be derived from one sentence
        for change in changes:
            key = change.fingerprint, change.now and change.now.fingerprint
            by_sentence.setdefault(key, []).append(change)
        for group in by_sentence.values():
            first = group[0]
            print(f"{title}  " + ", ".join(f"{change.clause['id']} ({change.clause['section']})"
                                          for change in group), file=out)
            if first.was:
                print(f"    was  {first.was.text}", file=out)
            else:
                print(f"    says {first.clause['statement']}", file=out)
            if first.now:
                print(f"    now  line {first.now.line}, {first.now.section}: {first.now.text}",
                      file=out)
    for sentence in result.came:
        print(f"came  {sentence.fingerprint}  line {sentence.line}, {sentence.section}: {sentence.text}",
              file=out)
    differ = len({change.clause["id"] for change in result.changes})
    went = len({change.clause["id"] for change in result.went})
    print(f"{len(result.unchanged)} clauses unchanged, {differ} changed, {went} of them with a "
          f"sentence that went; {len(result.came)} sentences came", file=out)
    if result.not_looked_for:
        print(f"{len(result.not_looked_for)} clauses come from notes, which this text does not have",
              file=out)


def renewed(catalogue_text, changes):
    """The catalogue with the fingerprints of changed sentences replaced by those of the new ones."""
    new = {(change.clause["id"], change.fingerprint): change.now.fingerprint
           for change in changes if change.now}
    lines, clause, seen = [], None, set()
    for line in catalogue_text.splitlines(keepends=True):
        if line.startswith("[["):
            clause = None
        elif name := re.match(r'id = "([^"]+)"', line):
            clause = name[1]
        elif line.startswith("fingerprint = "):
            hashes = [new.get((clause, each), each) for each in re.findall(r'"(\w+)"', line)]
            listed = ", ".join(f'"{each}"' for each in dict.fromkeys(hashes))
            line = f"fingerprint = [{listed}]\n"
            seen.add(clause)
        lines.append(line)
    # An inherited clause has no fingerprints in this file yet.
    inherited = {change.clause["id"]: change.clause for change in changes
                 if change.now and change.clause["id"] not in seen}
    text = "".join(lines)
    for id, entry in inherited.items():
        hashes = [new.get((id, each), each) for each in entry["fingerprint"]]
        listed = ", ".join(f'"{each}"' for each in dict.fromkeys(hashes))
        own = f'[[clause]]\nid = "{id}"\n'
        text = (text.replace(own, f"{own}fingerprint = [{listed}]\n") if own in text else
                f"{text.rstrip()}\n\n{own}fingerprint = [{listed}]\n")
    return text


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", metavar="TEXT", type=Path, help="the text of the specification")
    parser.add_argument("--old", metavar="TEXT", type=Path,
                        help="the text that the fingerprints were taken from, to show what a changed "
                             "sentence said and to find its new wording more surely")
    parser.add_argument("--catalogue", metavar="FILE", type=Path, default=CATALOGUE,
                        help="the clause catalogue [default=%(default)s]")
    parser.add_argument("--write", action="store_true",
                        help="after review: give the changed clauses the fingerprints of the "
                             "sentences shown; clauses whose sentence went stay as they are")
    options = parser.parse_args(arguments)
    catalogue_text = options.catalogue.read_text()
    result = compare(catalogues.read(options.catalogue), options.text.read_text(),
                     options.old.read_text() if options.old else None)
    report(result, sys.stdout)
    if options.write and result.changed:
        options.catalogue.write_text(renewed(catalogue_text, result.changed))
        print(f"{len(result.changed)} fingerprints renewed in {options.catalogue}")
    return 1 if result.changes or result.came else 0


if __name__ == "__main__":
    sys.exit(main())
