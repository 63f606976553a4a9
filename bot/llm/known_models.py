"""What a model's name gives away. It is only a hint: what is not known here is tried, and learned from a refusal."""

import re

_SEES = re.compile(r"vision|visual|llava|pixtral|omni|multimodal|[-_.\d](?:vl|4v|v)\d?\b|vlm|moondream|minicpm-?v|maverick|scout")
_BLIND = re.compile(
    r"^(?:gpt-3\.5|o1-(?:mini|preview)|o3-mini|text-|davinci|deepseek|mixtral|open-mi|codestral|devstral|ministral|mistral-(?:7b|nemo|tiny)"
    r"|llama-?(?:2|3\b(?!\.[24])|3\.[013])|tinyllama|gemma-?(?:2|1|7b|2b)\b|phi-?[123]\b|qwq|qwen-?(?:1|1\.5|2|2\.5|3)\b|smollm|command-r"
    r"|olmo|falcon|starcoder|codellama|vicuna|zephyr|kimi-k2\b(?!\.)|gpt-oss|glm-4\.[56]\b)"
)


def is_blind(model: str) -> bool:
    """Say whether a model of that name is known to see no images."""
    name = model.lower().rpartition("/")[2]
    return _BLIND.match(name) is not None and _SEES.search(name) is None
