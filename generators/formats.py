"""The formats that have fixtures. Each has a package in this directory, and no module outside the
package names it:

    <format>/format.py    catalogue       the recipe.Catalogue of the format
                          make(recipe)    the bytes of a fixture, and the path of its subject; the state of a library after
                                          other recipes must not change them (processes.Again)
                          made_with()     {library: version}: the libraries that those bytes depend on
    <format>/recipes/     modules s*.py, which register recipes with `valid` and `invalid` of the catalogue
    <format>/hostile.py   HOSTILE, a list that hostile.collector fills        (optional)
    <format>/explain.py   example(recipe, others), see explain.py             (optional)
    <format>/tests/       tests of these modules
"""

import functools
import importlib
import os
from fnmatch import fnmatch
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent


class Format:
    def __init__(self, name):
        self.name = name
        self.fixtures = ROOT / "fixtures" / name
        module = self.module("format")
        self.catalogue, self.make, self.made_with = module.catalogue, module.make, module.made_with

    def module(self, name):
        """A module of the package; None if it does not exist."""
        if not (HERE / self.name / Path(*name.split("."))).with_suffix(".py").exists():
            return None
        return importlib.import_module(f"{__package__}.{self.name}.{name}")

    def recipes(self, only="*"):
        """The recipes whose path matches, in the order of their paths."""
        for path in sorted((HERE / self.name / "recipes").glob("s*.py")):
            self.module(f"recipes.{path.stem}")
        recipes = self.catalogue.recipes
        return [recipes[path] for path in sorted(recipes) if fnmatch(path, only)]


def names():
    return sorted(path.parent.name for path in HERE.glob("*/format.py"))


find = functools.cache(Format)


# HEPCHECK_EVERY=1 lets tests take all fixtures where they otherwise take a sample.
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"


def sample(recipes, but=()):
    """The first recipe of each clause, without those of the paths `but`; all of them if EVERY."""
    seen = set()
    for recipe in recipes:
        if recipe.path in but and not EVERY:
            continue
        clause = recipe.path.split("--")[0]
        if EVERY or clause not in seen:
            yield recipe
        seen.add(clause)
