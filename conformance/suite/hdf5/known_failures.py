"""Makes a list of known failures from a report of hepcheck suite --format json: known_failures.py REPORT."""

import json
import re
import sys

WORDS = {"WRONG": "it reads something else", "CRASH": "it crashes", "HANG": "it does not return", "EXHAUSTION": "it takes too much memory",
         "MALFORMED": "its answer is none", "refused": "it refuses a sound file", "refused in part": "it refuses a part of a sound file"}


def reason(outcome):
    detail = outcome["detail"]
    if outcome["outcome"] == "WRONG":
        detail = detail.split(":")[0]
    elif outcome["outcome"] in ("HANG", "EXHAUSTION"):
        detail = ""
    elif outcome["outcome"] == "CRASH":
        # An assertion without the place in its source, or how it ended.
        found = re.search(r"(\w+): Assertion `(.*)' failed", detail)
        detail = f"assertion of {found[1]}: {found[2]}" if found else detail.partition(",")[0]
    elif outcome["outcome"] == "MALFORMED":
        detail = detail.partition(",")[0]
    text = f"{WORDS[outcome['outcome']]}: {detail}" if detail else WORDS[outcome["outcome"]]
    return " ".join(re.sub(r"\d{5,}|[0-9a-f]{9,}|/\S+/", "...", text).split())[:160]


def main(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    outcomes = {each["file"]: each for each in report["outcomes"]}
    print(f"# What {report['program']['name']} makes of fixtures of {report['specification']}.")
    for clause in report["clauses"]:
        for finding in clause.get("findings", ()):
            print(f'\n[[known]]\nclause = "{clause["id"]}"\nwhere = "{finding["object"]}"')
            print(f"reason = {json.dumps(reason(outcomes[finding['object']]), ensure_ascii=False)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
