"""Regular expressions of placement filters, in the RE2 syntax that the scheduler's language has (C-47, PL-63).

Python's `re` differs in what it accepts (back references, look-around, `(?i)` in the middle) and can take
exponential time. Here an expression becomes a small program that is run on all its states at once, so a search takes
time proportional to program times text. Answers only whether something matches: no groups, so greed is irrelevant.

Not known are script classes such as `\\p{Greek}`; general categories such as `\\p{Lu}` are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MAX_REPEAT = 1000  # of one repetition, and of nested ones multiplied
MAX_PROGRAM = 100_000

_SPECIAL = frozenset("^$*+?()[{}|")


class RegexpError(ValueError):
    """An expression outside RE2; `str()` says what and where."""


def is_regexp(entry: str) -> bool:
    """Whether a filter's single entry is taken for an expression rather than a name: a lone dot is not enough."""
    return not _SPECIAL.isdisjoint(entry)


def compile_regexp(pattern: str) -> Regexp:
    """The expression ready to search. Raises RegexpError.

    >>> compile_regexp("dev*").search("mydept")
    True
    """
    return Regexp(pattern, _Parser(pattern).program())


# An instruction is one of
#   (CHAR, test)       the next character must pass the test
#   (ASSERT, test)     test(text, position) must hold
#   (JUMP, offsets)    go on at each of the offsets, counted from here
# Offsets are relative, so that a fragment can be copied for repetitions.
_CHAR, _ASSERT, _JUMP = range(3)
_Program = tuple[tuple[int, Any], ...]


@dataclass(frozen=True, slots=True)
class Regexp:
    """A compiled expression. Searches anywhere in the text unless the expression is anchored."""

    pattern: str
    program: _Program = field(repr=False, compare=False)

    def search(self, text: str) -> bool:
        """Whether the expression matches some part of `text`."""
        states: set[int] = set()
        for position in range(len(text) + 1):
            states.add(0)
            states = self._reachable(states, text, position)
            if len(self.program) in states:
                return True
            if position < len(text):
                character = text[position]
                states = {state + 1 for state in states if self.program[state][0] == _CHAR and self.program[state][1](character)}
        return False

    def _reachable(self, states: set[int], text: str, position: int) -> set[int]:
        reached, waiting = set(states), list(states)
        while waiting:
            state = waiting.pop()
            if state == len(self.program):
                continue
            kind, operand = self.program[state]
            offsets = operand if kind == _JUMP else (1,) if kind == _ASSERT and operand(text, position) else ()
            for offset in offsets:
                if state + offset not in reached:
                    reached.add(state + offset)
                    waiting.append(state + offset)
        return reached


# -- fragments -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A piece of program and the product of the counted repetitions nested in it."""

    program: _Program
    copies: int = 1


def _char(test: Callable[[str], bool]) -> _Fragment:
    return _Fragment(((_CHAR, test),))


def _sequence(pieces: list[_Fragment]) -> _Fragment:
    program = tuple(instruction for piece in pieces for instruction in piece.program)
    return _Fragment(program, max((piece.copies for piece in pieces), default=1))


def _either(options: list[_Fragment]) -> _Fragment:
    """The options one behind the other: jump to the start of each, and from the end of each to the end of all."""
    if len(options) == 1:
        return options[0]
    starts, position = [], 1
    for option in options:
        starts.append(position)
        position += len(option.program) + 1
    program: list[tuple[int, Any]] = [(_JUMP, tuple(starts))]
    for option in options:
        program.extend(option.program)
        program.append((_JUMP, (position - len(program),)))
    return _Fragment(tuple(program), max(option.copies for option in options))


def _optional(piece: _Program) -> _Program:
    return ((_JUMP, (1, len(piece) + 1)), *piece)


def _any_number(piece: _Program) -> _Program:
    return ((_JUMP, (1, len(piece) + 2)), *piece, (_JUMP, (-len(piece) - 1,)))


# -- parser --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """An open group: finished alternatives, the pieces of the present one, the flags to return to."""

    flags: frozenset[str]
    options: list[_Fragment] = field(default_factory=list)
    pieces: list[_Fragment] = field(default_factory=list)


class _Parser:
    def __init__(self, pattern: str):
        self.pattern, self.at = pattern, 0
        self.flags: frozenset[str] = frozenset()
        self.groups = [_Group(self.flags)]
        self.names: set[str] = set()
        self.size = 0

    def program(self) -> _Program:
        repeated = False  # whether the token before was a repetition
        while self.at < len(self.pattern):
            repetition = self.repetition()
            if repetition is not None:
                if repeated:
                    raise self.error("invalid nested repetition operator")
                self.repeat(*repetition)
                repeated = True
                continue
            repeated = False
            self.token()
        if len(self.groups) > 1:
            raise self.error("missing closing )")
        return self.closed_group().program

    def error(self, fault: str) -> RegexpError:
        return RegexpError(f"{fault} in the regular expression {self.pattern[:64]!r}")

    def take(self, length: int = 1) -> str:
        taken = self.pattern[self.at : self.at + length]
        self.at += length
        return taken

    def ahead(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def add(self, piece: _Fragment) -> None:
        self.size += len(piece.program)
        if self.size > MAX_PROGRAM:
            raise self.error("too many repetitions")
        self.groups[-1].pieces.append(piece)

    def token(self) -> None:
        character = self.take()
        if character == "(":
            self.open_group()
        elif character == ")":
            if len(self.groups) == 1:
                raise self.error("unexpected )")
            group, piece = self.groups[-1], self.closed_group()
            self.flags = group.flags
            self.groups.pop()
            self.groups[-1].pieces.append(piece)
        elif character == "|":
            group = self.groups[-1]
            group.options.append(_sequence(group.pieces))
            group.pieces = []
        elif character == "[":
            self.add(_char(self.bracket()))
        elif character == ".":
            self.add(_char((lambda c: True) if "s" in self.flags else (lambda c: c != "\n")))
        elif character == "^":
            self.add(_Fragment(((_ASSERT, _line_start if "m" in self.flags else _text_start),)))
        elif character == "$":
            self.add(_Fragment(((_ASSERT, _line_end if "m" in self.flags else _text_end),)))
        elif character == "\\":
            self.backslash()
        else:
            self.literal(character)

    def literal(self, character: str) -> None:
        self.add(_char(_folding({character}.__contains__, self.flags)))

    # groups

    def open_group(self) -> None:
        outer = self.flags
        if self.ahead("?"):
            self.at += 1
            if self.ahead("P<") or self.ahead("<"):
                self.group_name()
            elif self.group_flags() == ")":  # (?i): for the rest of the group that is open
                return
        self.groups.append(_Group(outer))
        if len(self.groups) > MAX_REPEAT:
            raise self.error("expression nests too deeply")

    def group_name(self) -> None:
        match = re.compile(r"P?<([A-Za-z0-9_]+)>").match(self.pattern, self.at)
        if not match or match[1] in self.names:
            raise self.error("invalid named capture")
        self.names.add(match[1])
        self.at = match.end()

    def group_flags(self) -> str:
        match = re.compile(r"([imsU]*)(?:-([imsU]+))?([:)])").match(self.pattern, self.at)
        if not match:
            raise self.error("invalid or unsupported Perl syntax")
        self.at = match.end()
        self.flags = (self.flags | set(match[1])) - set(match[2] or "")
        return match[3]

    def closed_group(self) -> _Fragment:
        group = self.groups[-1]
        piece = _either([*group.options, _sequence(group.pieces)])
        self.size += len(group.options) + 1
        return piece

    # repetitions

    def repetition(self) -> tuple[int, int | None] | None:
        """Least and largest count if a repetition is next, else None; a brace that counts nothing is a literal."""
        match = _REPETITION.match(self.pattern, self.at)
        if not match:
            return None
        self.at = match.end()
        if match[1]:
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[match[1]]
        least = int(match[2][:9])
        largest = least if match[3] is None else int(match[4][:9]) if match[4] else None
        if max(least, largest or 0) > MAX_REPEAT or (largest is not None and largest < least):
            raise self.error("invalid repeat count")
        return least, largest

    def repeat(self, least: int, largest: int | None) -> None:
        pieces = self.groups[-1].pieces
        if not pieces:
            raise self.error("missing argument to repetition operator")
        last = pieces.pop()
        piece = last.program
        counted = largest if largest is not None else least
        copies = last.copies * counted if max(least, largest or 0) > 1 else last.copies
        if copies > MAX_REPEAT:
            raise self.error("invalid repeat count")
        copied = max(least, largest or 0)
        if self.size + copied * (len(piece) + 1) > MAX_PROGRAM:
            raise self.error("too many repetitions")
        optional = _any_number(piece) if largest is None else _optional(piece) * (largest - least)
        self.add(_Fragment(piece * least + optional, copies))

    # escapes

    def backslash(self) -> None:
        character = self.pattern[self.at : self.at + 1]
        if character in _ASSERTIONS and character:
            self.at += 1
            self.add(_Fragment(((_ASSERT, _ASSERTIONS[character]),)))
        elif character == "Q":
            quoted, mark, _ = self.pattern[self.at + 1 :].partition("\\E")
            self.at += 1 + len(quoted) + len(mark)
            for literal in quoted:
                self.literal(literal)
        else:
            known = self.class_escape()
            if known is not None:
                self.add(_char(known))
            else:
                self.literal(self.character_escape())

    def class_escape(self) -> Callable[[str], bool] | None:
        r"""The test of `\d`, `\pL` and the like if one is next."""
        letter = self.pattern[self.at : self.at + 1]
        if letter and letter.lower() in _PERL_CLASSES:
            self.at += 1
            return self.character_class(_PERL_CLASSES[letter.lower()], letter.isupper())
        if letter not in ("p", "P"):
            return None
        match = re.compile(r"[pP](?:\{(\^?)([A-Za-z_]*)\}|([A-Z]))").match(self.pattern, self.at)
        name = match and (match[2] if match[3] is None else match[3])
        if match is None or not name or name not in _CATEGORIES:
            raise self.error("invalid character class range")
        self.at = match.end()
        return self.character_class(_category(name), (letter == "P") != bool(match[1]))

    def character_class(self, test: Callable[[str], bool], negative: bool) -> Callable[[str], bool]:
        """The test of a class. Case is folded before negating: (?i)[^a] excludes both a and A."""
        return _negated(_folding(test, self.flags), negative)

    def character_escape(self) -> str:
        match = _CHARACTER_ESCAPE.match(self.pattern, self.at)
        if not match:
            raise self.error("trailing \\" if self.at >= len(self.pattern) else "invalid escape sequence")
        self.at = match.end()
        octal, hexadecimal, braced, letter, literal = match.groups()
        if octal or hexadecimal or braced:
            code = int(octal, 8) if octal else int((hexadecimal or braced), 16)
            if code > 0x10FFFF:
                raise self.error("invalid escape sequence")
            return chr(code)
        return _LETTER_ESCAPES[letter] if letter else literal

    # classes in brackets

    def bracket(self) -> Callable[[str], bool]:
        negative = self.ahead("^")
        self.at += negative
        tests: list[Callable[[str], bool]] = []
        first = True
        while first or not self.ahead("]"):
            first = False
            if self.at >= len(self.pattern):
                raise self.error("missing closing ]")
            end = self.pattern.find(":]", self.at + 2) if self.ahead("[:") else -1
            if end >= 0:
                name = self.pattern[self.at + 2 : end]
                if name.removeprefix("^") not in _NAMED_CLASSES:
                    raise self.error("invalid character class range")
                self.at = end + 2
                tests.append(self.character_class(_NAMED_CLASSES[name.removeprefix("^")], name.startswith("^")))
                continue
            test = None
            if self.ahead("\\"):
                self.at += 1
                test = self.class_escape()
                self.at -= test is None
            tests.append(test or self.bracket_range())
        self.at += 1
        return _negated(lambda c: any(test(c) for test in tests), negative)

    def bracket_range(self) -> Callable[[str], bool]:
        low = high = self.bracket_character()
        if self.ahead("-") and not self.ahead("-]") and self.at + 1 < len(self.pattern):
            self.at += 1
            high = self.bracket_character()
            if high < low:
                raise self.error("invalid character class range")
        return self.character_class(lambda c: low <= c <= high, negative=False)

    def bracket_character(self) -> str:
        if self.at >= len(self.pattern):
            raise self.error("missing closing ]")
        character = self.take()
        return self.character_escape() if character == "\\" else character


# Whoever reads the counts cuts them to nine digits: longer ones are too large anyhow.
_REPETITION = re.compile(r"(?:([*+?])|\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\})\??")
_CHARACTER_ESCAPE = re.compile(
    r"([1-7][0-7]{1,2}|0[0-7]{0,2})|x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,8})\}|([aftnrv])|([\x00-/:-@\[-`{-\x7f])"
)
_LETTER_ESCAPES = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}


def _one_of(ranges: str) -> Callable[[str], bool]:
    return frozenset(c for c in map(chr, range(128)) if re.match(f"[{ranges}]", c)).__contains__


_PERL_CLASSES = {"d": _one_of("0-9"), "s": _one_of(r"\t\n\f\r "), "w": _one_of("0-9A-Za-z_")}
_NAMED_CLASSES = {
    "alnum": _one_of("0-9A-Za-z"),
    "alpha": _one_of("A-Za-z"),
    "ascii": _one_of(r"\x00-\x7f"),
    "blank": _one_of(r"\t "),
    "cntrl": _one_of(r"\x00-\x1f\x7f"),
    "digit": _one_of("0-9"),
    "graph": _one_of("!-~"),
    "lower": _one_of("a-z"),
    "print": _one_of(" -~"),
    "punct": _one_of(r"!-/:-@\[-`{-~"),
    "space": _one_of(r"\t\n\v\f\r "),
    "upper": _one_of("A-Z"),
    "word": _one_of("0-9A-Za-z_"),
    "xdigit": _one_of("0-9A-Fa-f"),
}
_CATEGORIES = frozenset(
    "Any C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split()
)


def _category(name: str) -> Callable[[str], bool]:
    return (lambda c: True) if name == "Any" else (lambda c: unicodedata.category(c).startswith(name))


def _negated(test: Callable[[str], bool], negative: bool) -> Callable[[str], bool]:
    return (lambda c: not test(c)) if negative else test


# Letters that Python's lower() and upper() do not lead to: the Kelvin sign and the long s.
_MORE_CASES = {"k": "\u212a", "s": "\u017f"}


def _folding(test: Callable[[str], bool], flags: frozenset[str]) -> Callable[[str], bool]:
    """The test for the character in any case, under the flag i."""
    if "i" not in flags:
        return test

    def folded(character: str) -> bool:
        lower, upper = character.lower(), character.upper()
        cases = (character, lower, upper, lower.upper(), upper.lower(), _MORE_CASES.get(upper.lower(), character))
        return any(test(case) for case in cases if len(case) == 1)

    return folded


def _text_start(text: str, position: int) -> bool:
    return position == 0


def _text_end(text: str, position: int) -> bool:
    return position == len(text)


def _line_start(text: str, position: int) -> bool:
    return position == 0 or text[position - 1] == "\n"


def _line_end(text: str, position: int) -> bool:
    return position == len(text) or text[position] == "\n"


def _word_edge(text: str, position: int) -> bool:
    word = _PERL_CLASSES["w"]
    before = position > 0 and word(text[position - 1])
    return before != (position < len(text) and word(text[position]))


_ASSERTIONS: dict[str, Callable[[str, int], bool]] = {
    "A": _text_start,
    "z": _text_end,
    "b": _word_edge,
    "B": lambda text, position: not _word_edge(text, position),
}
