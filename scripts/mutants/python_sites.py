"""Where Python source can be mutated, and how."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: (r"\bis\b", ("is not",)),
    ast.IsNot: (r"\bis\s+not\b", ("is",)),
    ast.In: (r"\bin\b", ("not in",)),
    ast.NotIn: (r"\bnot\s+in\b", ("in",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.BitOr: (r"\|", "&"),
    ast.BitAnd: ("&", "|"),
}
BOOLEAN: dict[type[ast.boolop], tuple[str, str]] = {ast.And: (r"\band\b", "or"), ast.Or: (r"\bor\b", "and")}
UNSEEN = {"assert_never", "log", "logger", "logging"}
"""Functions, and objects with methods, whose calls are not mutated."""


@dataclass(frozen=True, slots=True)
class Site:
    """One mutation: the bytes from `start` to `end` become `after`."""

    operator: str
    start: int
    end: int
    after: str


def python_sites(source: bytes) -> list[Site]:
    """Return every mutation of a Python file."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    return finder.sites


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.sites: list[Site] = []
        self._source = source
        self._lines = [0, *(match.end() for match in re.finditer(b"\n", source))]
        self._returns: list[bool] = []
        """Whether each function around the present node must return a value."""

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all(default for default in [*node.args.defaults, *node.args.kw_defaults] if default is not None)
        annotation = node.returns
        self._returns.append(
            annotation is not None and not (isinstance(annotation, ast.Constant) and annotation.value is None)
        )
        self._visit_all(node.body)
        self._returns.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all([node.value] if node.value else [])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave out f-strings: the positions in them are wrong before Python 3.12."""

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            self._visit_all(node.orelse)
        else:
            self._condition(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._condition(node)
        else:
            self._visit_all(node.body)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace("not removed", self._start(node), self._start(node.operand), r"\bnot\s*", "")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            token, others = COMPARISONS[type(op)]
            for after in others:
                self._between("comparison", left, right, token, after)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        text = any(
            isinstance(side, ast.JoinedStr | ast.List)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
            for side in (node.left, node.right)
        )
        union = isinstance(node.op, ast.BitOr) and not self._returns  # of types
        if type(node.op) in ARITHMETIC and not text and not union:
            self._between("arithmetic", node.left, node.right, *ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC:
            self._between("arithmetic", node.target, node.value, *ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between("boolean operator", left, right, *BOOLEAN[type(node.op)])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._whole("boolean constant", node, str(not node.value))
        elif isinstance(node.value, int):
            self._whole("integer constant", node, str(node.value + 1))
            self._whole("integer constant", node, str(node.value - 1))

    def visit_Return(self, node: ast.Return) -> None:
        nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
        if not nothing and self._returns[-1]:
            self._whole("returned value", node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call) and not _unseen(call):
            self._whole("statement deleted", node, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if not _unseen(node):
            self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._whole("break or continue", node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._whole("break or continue", node, "break")

    def _condition(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if not (isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)):
            test = self._source[self._start(node.test) : self._end(node.test)].decode()
            self._whole("not added", node.test, f"(not ({test}))")
        self.generic_visit(node)

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

    def _whole(self, operator: str, node: ast.expr | ast.stmt, after: str) -> None:
        self.sites.append(Site(operator, self._start(node), self._end(node), after))

    def _between(self, operator: str, left: ast.expr, right: ast.expr, token: str, after: str) -> None:
        self._replace(operator, self._end(left), self._start(right), token, after)

    def _replace(self, operator: str, start: int, end: int, token: str, after: str) -> None:
        """Add a site at the first match of `token` in that span."""
        match = re.search(token.encode(), self._source[start:end])
        if match is not None:
            self.sites.append(Site(operator, start + match.start(), start + match.end(), after))


def _unseen(call: ast.Call) -> bool:
    """Return whether the call only logs, or only tells the type checker something."""
    root: ast.expr = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in UNSEEN
