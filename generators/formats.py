"""The formats that have fixtures. Each has a package in this folder, and nothing next to the
package names it:

    <format>/format.py    catalogue       the format's recipe.Catalogue
                          make(recipe)    the bytes of a fixture, and the place of its subject in it
                          made_with()     {library: version}: what else those bytes depend on
                          TOGETHER        true if one process may make many files     (may be missing)
    <format>/recipes/     modules s*.py, which register with the catalogue's `valid` and `invalid`
    <format>/hostile.py   HOSTILE, a list that hostile.collector fills        (may be missing)
    <format>/explain.py   example(recipe, others), see explain.py             (may be missing)
    <format>/tests/       of all that
"""

import functools
import importlib
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
        self.together = getattr(module, "TOGETHER", False)

    def module(self, name):
        """One of the package's modules; None if it has no such one."""
        if not (HERE / self.name / Path(*name.split("."))).with_suffix(".py").exists():
            return None
        return importlib.import_module(f"{__package__}.{self.name}.{name}")

    def recipes(self, only="*"):
        """Those whose path matches, in order of path."""
        for path in sorted((HERE / self.name / "recipes").glob("s*.py")):
            self.module(f"recipes.{path.stem}")
        recipes = self.catalogue.recipes
        return [recipes[path] for path in sorted(recipes) if fnmatch(path, only)]


def names():
    return sorted(path.parent.name for path in HERE.glob("*/format.py"))


find = functools.cache(Format)
