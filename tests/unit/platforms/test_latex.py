"""Formulas in TeX as plain text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.platforms.latex import readable_formula, with_readable_formulas


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("x^2", "x²"),
        (r"\frac{a+1}{b}", "(a+1)/b"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\sqrt[3]{x + 1} + \sqrt2", "³√(x + 1) + √2"),
        (r"\alpha \le \Omega", "α ≤ Ω"),
        (r"\mathbb{R}^n \setminus \{0\}", "ℝⁿ ∖ {0}"),
        (r"\lim_{n \to \infty} a_n = \ln 2", "lim_(n → ∞) aₙ = ln 2"),
        (r"\vec{v} = \hat{x} + \overline{ab}", "v⃗ = x̂ + a̅b̅"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "1 2\n3 4"),
        (r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}", "f(x) = 1 x > 0\n0 else"),
        (r"\left( \frac{1}{2} \right)^{10}", "( 1/2 )¹⁰"),
        (r"50\% \text{ of } \$5 \& more", "50% of $5 & more"),
        (r"\unknown{x}", "unknownx"),
        (r"\frac{a", r"fraca"),
    ],
)
def test_a_formula_reads_well(tex: str, text: str) -> None:
    assert readable_formula(tex) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"So \(x^2\), $y_1$ and $$z^3$$.", r"So x², y₁ and z³."),
        ("\\[\n\\frac{1}{2}\n\\]", "1/2"),
        (r"`$x^2$` costs $5 and $10", r"`$x^2$` costs $5 and $10"),
        ("```\n\\(x^2\\)\n```", "```\n\\(x^2\\)\n```"),
        (r"$x^{\theta}_T$", r"x^θ\_T"),
        (r"\(open", r"\(open"),
    ],
)
def test_formulas_in_markdown_become_text_and_code_stays(markdown: str, text: str) -> None:
    assert with_readable_formulas(markdown) == text


@given(st.text(alphabet="ab12\\{}^_$()[]&`\n frac"))
def test_whatever_a_model_writes_something_readable_comes(text: str) -> None:
    readable_formula(text)
    assert with_readable_formulas(text).strip() or not text.strip()
