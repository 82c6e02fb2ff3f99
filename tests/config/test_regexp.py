"""Regular expressions of placement filters: RE2 syntax, no exponential time. The table was checked against RE2."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import examples

from workbench.config.validation.regexp import RegexpError, compile_regexp, is_regexp


@pytest.mark.parametrize("entry", ["^a", "a$", "a*", "a+", "a?", "(a", "a)", "[a", "a{", "a}", "a|b"])
def test_an_entry_with_a_special_character_is_an_expression(entry):  # PL-63
    assert is_regexp(entry)


@pytest.mark.parametrize("entry", ["", "sue", "s.e", "a-b", "a]", "a\\b"])
def test_an_entry_without_one_is_a_name(entry):  # PL-63: a lone dot is not enough
    assert not is_regexp(entry)


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("dev*", ["mydept", "de", "devvv"], ["d", "DEV"]),
        ("^dev$", ["dev"], ["dev\n", "adev", ""]),
        ("(?i)^SUE$", ["sue", "Sue"], ["sues"]),
        ("a(?i:b)c", ["abc", "aBc"], ["aBC", "Abc"]),
        ("^(?:ab|c)+$", ["abc", "cab"], ["", "abd"]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{1,3}?$", ["a", "aaa"], ["", "aaaa"]),
        ("^a{2,}$", ["aa", "aaaaa"], ["a"]),
        ("a{,2}", ["a{,2}"], ["aa"]),
        ("a{01}", ["a{01}"], ["a"]),
        ("x{", ["x{"], ["x"]),
        ("a]}", ["a]}"], ["a"]),
        ("[]a]", ["]", "a"], ["["]),
        ("[^a-c]", ["d", "\n"], ["abc"]),
        ("[a-]", ["-", "a"], ["b"]),
        ("[a-c-e]", ["-", "b", "e"], ["d"]),
        (r"[\d_]", ["7", "_"], ["a"]),
        ("[[:alpha:]]", ["x"], ["1"]),
        ("[[:^alpha:]]", ["1"], ["x"]),
        (r"\bx\B", ["xa"], ["x", "ax"]),
        (r"^\pL\P{Lu}$", ["aé"], ["aA", "1a"]),
        (r"\Qa.b\E+", ["a.b", "a.bb"], ["aab"]),
        (r"\x41\x{42}\103", ["ABC"], ["abc"]),
        (r"\Aa\z", ["a"], ["a\n"]),
        ("a.c", ["abc"], ["a\nc"]),
        ("(?s)a.c", ["a\nc"], ["ac"]),
        ("(?m)^b$", ["a\nb"], ["ab"]),
        ("(?P<n>a)(?<m>b)", ["ab"], ["a"]),
        ("(|a)*b", ["b", "aab"], ["a"]),
        ("^*a", ["a"], ["b"]),
        (r"(?i)\W", ["-"], ["a", "A", "\u212a"]),
        ("", ["", "a"], []),
    ],
)
def test_what_an_expression_finds(pattern, matching, other):  # PL-63
    expression = compile_regexp(pattern)
    assert [text for text in matching if not expression.search(text)] == []
    assert [text for text in other if expression.search(text)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        "su(e", "sue)", "dev[", "[z-a]", "[a-\\d]", "[[:foo:]]", "*a", "a|*", "(*)", "a**", "a{2}{3}", "a++", "a{1001}",
        "a{3,2}", "(a{100}){100}", "a{99999999999999999999}", "\\", "\\1", "\\Z", "\\h", "\\C", "\\xg", "\\pX",
        "\\p{Greek}", "\\é", "(?=a)", "(?!a)", "(?<=a)b", "(?>a)", "(?#a)", "(?i", "(?-)", "(?z)",
        "(?P<n>a)(?P<n>b)", "(?P<>a)", "(?P=n)",
    ],
)  # fmt: skip
def test_what_is_no_expression(pattern):  # C-47
    with pytest.raises(RegexpError):
        compile_regexp(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 200 + "!"),
        ("(a|a)*" * 100 + "b", "a" * 100),
        ("((a{10}){10}){10}b", "a" * 500),
        ("(" * 999, ""),
    ],
)
def test_no_expression_takes_exponential_time(pattern, text):
    try:
        assert not compile_regexp(pattern).search(text)
    except RegexpError:
        assert pattern.startswith("((((")


@pytest.mark.parametrize("pattern", ["(" * 100_000, "a" * 200_000, "(a{1000})" * 500, "a{1000}" * 200])
def test_an_expression_too_large_is_refused(pattern):
    with pytest.raises(RegexpError):
        compile_regexp(pattern)


@given(pattern=st.text(alphabet="ab.*+?{}()[]|^$\\-,1dpPQE:ix<>é\n", max_size=12), text=st.text(max_size=8))
@examples(500)
def test_any_pattern_compiles_and_searches_or_is_refused(pattern, text):
    try:
        compile_regexp(pattern).search(text)
    except RegexpError as error:
        assert str(error)
