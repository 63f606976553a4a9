"""Formulas in TeX, made readable where no formulas can be shown."""

import re
from collections.abc import Mapping

_NAMES = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega times cdot div pm mp leq le geq ge neq ne approx equiv sim propto
    infty partial nabla int sum prod in notin subset subseteq cup cap emptyset forall exists neg land lor to rightarrow
    leftarrow Rightarrow Leftarrow leftrightarrow iff implies mapsto dots ldots cdots angle degree circ prime ell hbar
    langle rangle lfloor rfloor lceil rceil mid parallel perp
"""
_SIGNS = """
    α β γ δ ε ε ζ η θ ι κ λ μ ν ξ π ρ σ τ φ φ χ ψ ω
    Γ Δ Θ Λ Ξ Π Σ Φ Ψ Ω × · ÷ ± ∓ ≤ ≤ ≥ ≥ ≠ ≠ ≈ ≡ ∼ ∝
    ∞ ∂ ∇ ∫ ∑ ∏ ∈ ∉ ⊂ ⊆ ∪ ∩ ∅ ∀ ∃ ¬ ∧ ∨ → →
    ← ⇒ ⇐ ↔ ⇔ ⇒ ↦ … … ⋯ ∠ ° ° ′ ℓ ℏ
    ⟨ ⟩ ⌊ ⌋ ⌈ ⌉ ∣ ∥ ⊥
"""
_SYMBOLS: Mapping[str, str] = dict(zip(_NAMES.split(), _SIGNS.split(), strict=True))
_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()aeioxjkmnt", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢₒₓⱼₖₘₙₜ")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*(?:\[([^\]]*)\])?\s*\{([^{}]*)\}")
_WORDS = re.compile(r"\\(?:text|mathrm|mathbf|mathit|mathbb|mathcal|operatorname|boxed)\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([A-Za-z0-9+\-]))")
_SPACING = re.compile(r"\\[,;:!]|\\q?quad\b|\\left\b\.?|\\right\b\.?|\\(?:big|Big)[lr]?\b|\\displaystyle\b")
_NAME = re.compile(r"\\([A-Za-z]+)")
_ESCAPED = re.compile(r"\\([{}%$&#_])")
_MOST_NESTING = 8


def readable_formula(tex: str) -> str:
    r"""Return a formula as plain text: `\frac{a}{b}` as `a/b`, `x^2` as `x²`, Greek letters as such."""
    text = _SPACING.sub(" ", tex.strip()).replace("\\\\", "\n").replace("&", " ")
    text = _NAME.sub(lambda match: _SYMBOLS.get(match.group(1), match.group()), text)
    for _ in range(_MOST_NESTING):
        changed = _innermost(text)
        if changed == text:
            break
        text = changed
    text = _NAME.sub(r"\1", text)
    text = _ESCAPED.sub(r"\1", text)
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()


def _innermost(text: str) -> str:
    text = _WORDS.sub(r"\1", text)
    text = _FRACTION.sub(lambda match: f"{_grouped(match.group(1))}/{_grouped(match.group(2))}", text)
    text = _ROOT.sub(_root, text)
    return _SCRIPT.sub(_script, text)


def _grouped(text: str) -> str:
    text = text.strip()
    return f"({text})" if re.search(r"[\s+\-*/=]", text) else text


def _root(match: re.Match[str]) -> str:
    degree = (match.group(1) or "").translate(_RAISED)
    return f"{degree}√{_grouped(match.group(2))}"


def _script(match: re.Match[str]) -> str:
    raised = match.group(1) == "^"
    content = match.group(2) if match.group(2) is not None else match.group(3)
    moved = content.translate(_RAISED if raised else _LOWERED)
    if all(before != after for before, after in zip(content, moved, strict=True)):
        return moved
    return f"{match.group(1)}{content}" if len(content) == 1 else f"{match.group(1)}({content})"
