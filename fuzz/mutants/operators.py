"""What can be made a little wrong in a source, found in its syntax tree.

Each mutant is one or two edits of the text that compute what the source does unless the mutant is on:

comparison   a < b as a <= b; a == b as a != b
condition    the condition of an if, a loop or a choice, negated
connective   a && b, a || b without a, or without b
arithmetic   a + b as a - b, and so on
constant     one more than a literal or a named constant; true as false
statement    a call, an assignment (with it what sets something back), a jump or a return left out
return       an empty result at once
arguments    two neighbours of one type swapped
extreme      the last in the place of the worst: std::max(a, b) as b, and if (worst < a) worst = a without
             its condition
"""

import re
from dataclasses import asdict, dataclass, field

from tree import Node

COMPARISONS = {"<": "kLess", "<=": "kLessEqual", ">": "kGreater", ">=": "kGreaterEqual"}
ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "/": "over", "%": "modulo", "&": "bit_and",
              "|": "bit_or", "^": "bit_xor", "<<": "shift_left", ">>": "shift_right"}
# Whatever is below these is computed by the compiler.
CONSTANT_KINDS = {"ConstantExpr", "StaticAssertDecl", "EnumDecl", "TemplateArgument", "CaseStmt",
                  "ConceptDecl", "RequiresExpr", "FriendDecl"}
STATEMENTS = {"CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "CompoundAssignOperator",
              "BreakStmt", "ContinueStmt"}
VARIABLES = {"VarDecl", "VarTemplateSpecializationDecl", "VarTemplatePartialSpecializationDecl"}
CONDITIONAL = {"IfStmt", "WhileStmt", "DoStmt", "ConditionalOperator"}
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl"}
EMPTY_RESULT = re.compile(r"(void|bool|(std::)?(u?int\d+_t|size_t|optional<.*>|vector<.*>|string|"
                          r"string_view|span<.*>)|int|unsigned.*|long.*|double|float)\Z")
RESET = re.compile(r"= *(0|false|nullptr|\{\}|\"\"|(std::)?nullopt|\w+(::\w+)*(\(\)|\{\}))$|(\.|->)(clear|reset)\(\)$")
ON = "::hepcheck::mutants::on($)"


@dataclass
class Mutant:
    """`edits`: [begin, end, text before, text behind, new text or None], in bytes; $ is its number."""
    file: str
    line: int
    operator: str
    detail: str
    begin: int
    end: int
    edits: list = field(default_factory=list)

    def to_json(self) -> dict:
        return asdict(self)


def wrap(begin, end, before, behind):
    return [begin, end, before, behind, None]


def replace(begin, end, text):
    return [begin, end, "", "", text]


def lambdas(node: Node):
    """The outermost lambdas below a node."""
    for child in node.inner:
        if child.kind == "LambdaExpr":
            yield child
        else:
            yield from lambdas(child)


class Finder:
    """Collects the mutants of the trees that it visits; `text(file)` gives the bytes of a file."""

    def __init__(self, text):
        self.text = text
        self.found: dict[tuple, Mutant] = {}

    def add(self, node: Node, operator: str, detail: str, *edits):
        key = (node.file, operator, detail, edits[0][0], edits[0][1])
        self.found.setdefault(
            key, Mutant(node.file, self.line(node.file, edits[0][0]), operator, detail, edits[0][0],
                        edits[0][1], list(edits)))

    def line(self, file, offset):
        return self.text(file)[:offset].count(b"\n") + 1

    def source(self, node: Node) -> str:
        return self.text(node.file)[node.begin:node.end].decode()

    def visit(self, node: Node, parent: Node | None = None):
        if node.kind in CONSTANT_KINDS or node.data.get("immediate"):
            return
        if node.data.get("constexpr") and node.kind in VARIABLES:
            # The value is computed by the compiler; the lambdas in it, such as the check of a rule, run later.
            for each in lambdas(node):
                self.visit(each, node)
            return
        if node.begin is not None and node.file and self.usable(node.file):
            find = getattr(self, "find_" + node.kind, None)
            if find:
                find(node, parent)
            if node.kind in CONDITIONAL and not node.data.get("hasVar") and not node.data.get("isConstexpr"):
                self.condition(node)
            if parent is not None:
                self.statement(node, parent)
        # Of a loop over a range, what it ranges over and its body; the rest is the compiler's.
        ranged = node.kind == "CXXForRangeStmt"
        for child in node.inner[:1] + node.inner[-1:] if ranged else node.inner:
            self.visit(child, None if ranged and child is not node.inner[-1] else node)

    def usable(self, file):
        return self.text(file) is not None

    # --- expressions

    def find_BinaryOperator(self, node, parent):  # noqa: N802
        operator, sides = node.data.get("opcode"), node.inner
        if len(sides) != 2 or any(side.begin is None or side.file != node.file for side in sides):
            return
        left, right = sides
        if operator in ("==", "!="):
            self.negated(node, "comparison", operator)
        elif operator in COMPARISONS and "dependent" not in left.type + right.type:
            self.between(node, "comparison", f"{operator} at its border",
                         f"::hepcheck::mutants::compare<::hepcheck::mutants::Operator::{COMPARISONS[operator]}>($, ")
        elif operator in ARITHMETIC and "dependent" not in node.type:
            self.between(node, "arithmetic", operator, f"::hepcheck::mutants::{ARITHMETIC[operator]}($, ")
        elif operator in ("&&", "||"):
            before, behind = (f"({ON} || (", "))") if operator == "&&" else (f"(!{ON} && (", "))")
            self.add(left, "connective", f"{operator} without its left side",
                     wrap(left.begin, left.end, before, behind))
            self.add(right, "connective", f"{operator} without its right side",
                     wrap(right.begin, right.end, before, behind))

    def between(self, node, operator, detail, function):
        """a OP b as function(a, b)."""
        left, right = node.inner
        gap = self.text(node.file)[left.end:right.begin]
        sign = node.data["opcode"].encode()
        if gap.strip() != sign:
            return
        at = left.end + gap.index(sign)
        self.add(node, operator, detail, wrap(node.begin, node.end, function, ")"),
                 replace(at, at + len(sign), ","))

    def negated(self, node, operator, detail):
        self.add(node, operator, detail,
                 wrap(node.begin, node.end, f"({ON} != static_cast<bool>(", "))"))

    def find_CXXOperatorCallExpr(self, node, parent):  # noqa: N802
        if node.type == "bool":
            self.negated(node, "comparison", "of objects")

    find_CXXRewrittenBinaryOperator = find_CXXOperatorCallExpr  # noqa: N815

    def find_IntegerLiteral(self, node, parent):  # noqa: N802
        if parent is None or parent.data.get("castKind") == "NullToPointer":
            return
        self.add(node, "constant", "one more",
                 wrap(node.begin, node.end, "::hepcheck::mutants::constant($, ", ")"))

    def find_DeclRefExpr(self, node, parent):  # noqa: N802
        name = node.data.get("referencedDecl", {}).get("name", "")
        if re.match(r"k[A-Z]", name) and parent is not None \
                and parent.data.get("castKind") == "LValueToRValue" \
                and re.search(r"int|long|size_t|short", node.type):
            self.add(node, "constant", "one more",
                     wrap(node.begin, node.end, "::hepcheck::mutants::constant($, ", ")"))

    def find_CXXBoolLiteralExpr(self, node, parent):  # noqa: N802
        self.negated(node, "constant", self.source(node))

    def find_CallExpr(self, node, parent):  # noqa: N802
        if node.inner and (head := re.match(r"std::(max|min)(<[^()]*>)?\(", self.source(node))) \
                and len(node.inner) == 3:
            name, types = head.groups()
            self.add(node, "extreme", f"the last for the {name}",
                     replace(node.begin, node.begin + len(head[0].encode()),
                             f"::hepcheck::mutants::last{types or ''}($, {'true' if name == 'max' else 'false'}, "))
        else:
            self.arguments(node)

    def find_CXXMemberCallExpr(self, node, parent):  # noqa: N802
        self.arguments(node)

    def arguments(self, node):
        for one, two in zip(node.inner[1:], node.inner[2:]):
            if one.begin is None or two.begin is None or one.file != node.file or two.file != node.file \
                    or one.type != two.type or one.end > two.begin or one.data.get("valueCategory") \
                    != two.data.get("valueCategory"):
                continue
            texts = self.source(one), self.source(two)
            if texts[0] != texts[1] and all(re.fullmatch(r"[\w.:>-]+", text) for text in texts):
                self.add(one, "arguments", "swapped",
                         replace(one.begin, one.end, f"({ON} ? {texts[1]} : {texts[0]})"),
                         replace(two.begin, two.end, f"({ON} ? {texts[0]} : {texts[1]})"))

    # --- statements

    def condition(self, node):
        at = {"DoStmt": 1}.get(node.kind, 1 if node.data.get("hasInit") else 0)
        if len(node.inner) > at and (part := node.inner[at]).begin is not None and part.file == node.file:
            self.negated(part, "condition", node.kind)
            if node.kind == "IfStmt" and not node.data.get("hasElse") and self.takes_compared(part, node.inner[-1]):
                self.add(part, "extreme", "the last for the worst",
                         wrap(part.begin, part.end, f"({ON} || (", "))"))

    def takes_compared(self, comparison, then) -> bool:
        """Whether `then` sets one side of a comparison by size."""
        while then.kind in ("CompoundStmt", "ExprWithCleanups") and len(then.inner) == 1:
            then = then.inner[0]
        if comparison.data.get("opcode") not in COMPARISONS or then.data.get("opcode") != "=" \
                or not then.inner or then.inner[0].begin is None:
            return False
        return self.source(then.inner[0]) in {self.source(side) for side in comparison.inner
                                              if side.begin is not None and side.file == comparison.file}

    def find_ForStmt(self, node, parent):  # noqa: N802
        for part in node.inner:
            if part.type == "bool" and part.begin is not None and part.file == node.file:
                self.negated(part, "condition", node.kind)
                return

    def statement(self, node, parent):
        inside = parent.kind == "CompoundStmt"
        branch = parent.kind == "IfStmt" and node is not parent.inner[0] and node in parent.inner[1:]
        # Without a return a function must still have somewhere to go.
        goes_on = branch and not parent.data.get("hasElse") and not parent.data.get("isConstexpr")
        bare = node
        while bare.kind == "ExprWithCleanups" and bare.inner:
            bare = bare.inner[0]
        dropped = bare.kind in STATEMENTS \
            or bare.kind == "BinaryOperator" and bare.data.get("opcode") == "=" \
            or bare.kind == "UnaryOperator" and bare.data.get("opcode") in ("++", "--") \
            or node.kind == "ReturnStmt" and (not node.inner or goes_on)
        if not dropped or not (inside or branch):
            return
        text = self.text(node.file)
        end = text.find(b";", node.end)
        if end < 0 or text[node.end:end].strip():
            return
        what = "return" if node.kind == "ReturnStmt" else "jump" if "Stmt" in bare.kind else \
            "reset" if RESET.search(self.source(bare)) else "statement"
        self.add(node, "statement", f"{what} left out",
                 wrap(node.begin, end + 1, f"{{ if (!{ON}) ", " }"))

    def find_FunctionDecl(self, node, parent):  # noqa: N802
        result = node.type.split(" (")[0]
        body = next((part for part in node.inner if part.kind == "CompoundStmt"), None)
        if body is None or body.begin is None or body.file != node.file or not body.inner \
                or not EMPTY_RESULT.match(result) or node.data.get("name") == "main":
            return
        # What is returned may be deduced, each time anew: of a template, and by which nothing may stand in
        # braces, of a lambda.
        if re.match(rb"([\w:]+ )*auto\b(?!.*->)", self.text(node.file)[node.begin:body.begin], re.DOTALL):
            return
        in_lambda = node.data.get("name") == "operator()"
        if in_lambda and result not in ("void", "bool"):
            return
        value = {"void": "", "bool": " false"}.get(result, " {}")
        self.add(node, "return", "at once",
                 wrap(body.begin + 1, body.begin + 1, "", f" if ({ON}) return{value};"))

    find_CXXMethodDecl = find_FunctionDecl  # noqa: N815


def planted(text: bytes, mutants: list[tuple[int, dict]]) -> bytes:
    """The text of a file with numbered mutants in it. Mutants whose edits clash must not come together."""
    wraps, events = [], []
    for number, mutant in mutants:
        inner = any(edit[4] is not None for edit in mutant["edits"])
        for begin, end, before, behind, new in mutant["edits"]:
            if new is not None:
                events.append((begin, end, new.replace("$", str(number))))
            else:
                wraps.append((begin, end, before.replace("$", str(number)), behind.replace("$", str(number)), inner))
    # Of wraps of one place, the outer one comes first and ends last; what splits its inside is within.
    order = sorted(range(len(wraps)), key=lambda i: (wraps[i][0], -wraps[i][1], wraps[i][4], i))
    inserted = {}
    for i in order:
        inserted.setdefault(wraps[i][0], []).append((1, wraps[i][2]))
    for i in reversed(order):
        inserted.setdefault(wraps[i][1], []).append((0, wraps[i][3]))
    replaced = {begin: (end, new) for begin, end, new in events}
    out, at = [], 0
    for place in sorted({*inserted, *replaced}):
        if place < at:
            continue
        out.append(text[at:place])
        at = place
        # What ends here comes before what begins here.
        out += [piece.encode() for _, piece in sorted(inserted.get(place, ()), key=lambda part: part[0])]
        if place in replaced:
            end, new = replaced[place]
            out.append(new.encode())
            at = end
    out.append(text[at:])
    return b"".join(out)


def clash(one: dict, two: dict) -> bool:
    """Whether two mutants of a file cannot be planted together: one changes text inside of the other's."""
    for a in one["edits"]:
        for b in two["edits"]:
            if a[4] is not None and b[4] is not None and a[0] < b[1] and b[0] < a[1]:
                return True
            for x, y in ((a, b), (b, a)):
                if x[4] is not None and y[4] is None and (x[0] < y[0] < x[1] or x[0] < y[1] < x[1]):
                    return True
    return False
