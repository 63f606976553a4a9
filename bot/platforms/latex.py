"""Formulas in TeX, made readable where no formulas can be shown. Pure; what it does not know stays as it is written."""

import re
from collections.abc import Mapping

_NAMES = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega times cdot div pm mp leq le geq ge neq ne approx equiv sim propto
    infty partial nabla int sum prod in notin subset subseteq cup cap emptyset forall exists neg land lor to rightarrow
    leftarrow Rightarrow Leftarrow leftrightarrow iff implies mapsto dots ldots cdots angle degree circ prime ell hbar
    langle rangle lfloor rfloor lceil rceil mid parallel perp setminus oplus otimes ast star bullet dagger aleph
    upsilon vartheta varrho varsigma varkappa Upsilon oint iint supset supseteq ni nexists vee wedge ll gg cong
    longrightarrow Longrightarrow uparrow downarrow therefore because square triangle models vdash top bot checkmark
"""
_SIGNS = """
    α β γ δ ε ε ζ η θ ι κ λ μ ν ξ π ρ σ τ φ φ χ ψ ω
    Γ Δ Θ Λ Ξ Π Σ Φ Ψ Ω × · ÷ ± ∓ ≤ ≤ ≥ ≥ ≠ ≠ ≈ ≡ ∼ ∝
    ∞ ∂ ∇ ∫ ∑ ∏ ∈ ∉ ⊂ ⊆ ∪ ∩ ∅ ∀ ∃ ¬ ∧ ∨ → →
    ← ⇒ ⇐ ↔ ⇔ ⇒ ↦ … … ⋯ ∠ ° ° ′ ℓ ℏ
    ⟨ ⟩ ⌊ ⌋ ⌈ ⌉ ∣ ∥ ⊥ ∖ ⊕ ⊗ ∗ ⋆ • † ℵ
    υ ϑ ϱ ς ϰ Υ ∮ ∬ ⊃ ⊇ ∋ ∄ ∨ ∧ ≪ ≫ ≅
    ⟶ ⟹ ↑ ↓ ∴ ∵ □ △ ⊨ ⊢ ⊤ ⊥ ✓
"""
_SYMBOLS: Mapping[str, str] = dict(zip(_NAMES.split(), _SIGNS.split(), strict=True))
_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()aeioxjkmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢₒₓⱼₖₘₙₜ")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*(?:\[([^\]]*)\])?\s*(?:\{([^{}]*)\}|(\d))")
_WORDS = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:rm|bf|it|cal|frak|sf|tt|scr)|bold(?:symbol)?|operatorname\*?|boxed|mbox)\s*\{([^{}]*)\}"
)
_BLACKBOARD = re.compile(r"\\mathbb\s*\{?([A-Z])\}?")
_BLACKBOARD_LETTERS = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_CHOICE = re.compile(r"\\[dt]?binom\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ACCENT = re.compile(r"\\(hat|widehat|bar|overline|vec|tilde|widetilde|dot|ddot|underline)\s*(?:\{([^{}]*)\}|([A-Za-z]))")
_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "overline": "\u0305", "vec": "\u20d7", "tilde": "\u0303", "widetilde": "\u0303",
    "dot": "\u0307", "ddot": "\u0308", "underline": "\u0332",
}  # fmt: skip
_FRAME = re.compile(r"\\(?:begin|end)\s*\{[A-Za-z]+\*?\}(?:\{[^{}]*\})?|\\(?:nonumber|limits|nolimits|tag\s*\{[^{}]*\}|label\s*\{[^{}]*\})")
_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([A-Za-z0-9+\-]))")
_SPACING = re.compile(r"\\[,;:!]|\\q?quad\b|\\left\b\.?|\\right\b\.?|\\(?:big|Big)[lr]?\b|\\displaystyle\b")
_NAME = re.compile(r"\\([A-Za-z]+)")
_ESCAPED = re.compile(r"\\([%$&#_|])")
_OPEN, _CLOSE = "\ue000", "\ue001"
"""Stand for braces that are to be seen."""
_PLAIN_BRACES = re.compile(r"[{}]")
_IN_MARKDOWN = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|(?P<ticks>`+).+?(?P=ticks))"
    r"|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|\$\$(?P<double>.+?)\$\$|\$(?![\s$])(?P<single>[^$\n]*[^$\s\\])\$(?!\d)",
    re.DOTALL,
)
DOLLARS = re.compile(r"\$(?![\s$])([^$\n]*[^$\s\\])\$(?!\d)")
_LOOKS_LIKE_TEX = re.compile(r"[\\^_={}<>]|^[A-Za-z]$")
_MARKS = re.compile(r"([*_~|`])")
_MOST_NESTING = 8


def readable_formula(tex: str) -> str:
    r"""Return a formula as plain text: `\frac{a}{b}` as `a/b`, `x^2` as `x²`, Greek letters as such."""
    text = tex.strip().replace(r"\{", _OPEN).replace(r"\}", _CLOSE)
    text = _SPACING.sub(" ", _FRAME.sub(" ", text)).replace("\\\\", "\n").replace("\\&", "\ue002").replace("&", " ")
    text = _BLACKBOARD.sub(lambda match: _BLACKBOARD_LETTERS.get(match[1], match[1]), text)
    text = _NAME.sub(lambda match: _SYMBOLS.get(match.group(1), match.group()), text)
    for _ in range(_MOST_NESTING):
        changed = _innermost(text)
        if changed == text:
            break
        text = changed
    text = _ESCAPED.sub(r"\1", _NAME.sub(r"\1", text))
    text = _PLAIN_BRACES.sub("", text).replace(_OPEN, "{").replace(_CLOSE, "}").replace("\ue002", "&")
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(line for line in lines if line)


def with_readable_formulas(markdown: str) -> str:
    """Return Markdown with its formulas as plain text; code, and dollars that are money, stay as they are."""
    return _IN_MARKDOWN.sub(_found, markdown)


def looks_like_formula(text: str) -> bool:
    """Say whether what stands between two single dollars is a formula, and not two prices."""
    return bool(_LOOKS_LIKE_TEX.search(text))


def _found(match: re.Match[str]) -> str:
    if match["code"] is not None or (match["single"] is not None and not looks_like_formula(match["single"])):
        return match[0]
    tex = next(part for part in (match["round"], match["square"], match["double"], match["single"]) if part is not None)
    return _MARKS.sub(r"\\\1", readable_formula(tex)) or match[0]


def _innermost(text: str) -> str:
    text = _WORDS.sub(r"\1", text)
    text = _FRACTION.sub(lambda match: f"{_grouped(match.group(1))}/{_grouped(match.group(2))}", text)
    text = _CHOICE.sub(r"(\1 choose \2)", text)
    text = _ACCENT.sub(_accented, text)
    text = _ROOT.sub(_root, text)
    return _SCRIPT.sub(_script, text)


def _accented(match: re.Match[str]) -> str:
    letters = match[2] if match[2] is not None else match[3]
    return "".join(letter + _ACCENTS[match[1]] if not letter.isspace() else letter for letter in letters)


def _grouped(text: str) -> str:
    text = text.strip()
    return f"({text})" if re.search(r"[\s+\-*/=]", text) else text


def _root(match: re.Match[str]) -> str:
    degree = (match.group(1) or "").translate(_RAISED)
    return f"{degree}√{_grouped(match[3] if match[2] is None else match[2])}"


def _script(match: re.Match[str]) -> str:
    raised = match.group(1) == "^"
    content = match.group(2) if match.group(2) is not None else match.group(3)
    moved = content.translate(_RAISED if raised else _LOWERED)
    if all(before != after for before, after in zip(content, moved, strict=True)):
        return moved
    return f"{match.group(1)}{content}" if len(content) == 1 else f"{match.group(1)}({content})"
