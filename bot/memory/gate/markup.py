"""What only the frame of a prompt holds: tags, role marks, templates of chats, calls of tools."""

import re

_TAGS = (
    "memory memories deep_memories recalled section persona now mem_\\w+ system assistant human instructions? prompt context tool_\\w+"
    " function_\\w+ function_call im_start im_end think thinking reasoning start_of_turn end_of_turn bos eos sys"
)
_ROLES = "system|assistant|developer|human|sistema|systeme|assistent|asistente|系统|系統|システム|アシスタント|助手"
_TAG = re.compile(rf"<\s*/?\s*(?:{'|'.join(_TAGS.split())})\b[^<>]{{0,200}}>?|<\s*/?s\s*>")
_FRAME = re.compile(
    r"<\s*\|[^|<>]{1,60}\|\s*>"
    r"|\[\s*/?\s*(?:inst|sys|system|assistant|system message|system note)\s*\]"
    r"|<<\s*/?\s*sys"
    r"|(?:^|\n|[.!?。！？]\s*|\*\*|#{1,6}\s*|\"|\(|\[)\s*(?:"
    + _ROLES
    + r")(?: (?:message|note|prompt|override|update|notice|command))?\s*(?:\*\*)?\s*[:>\]]"
    r"|(?:^|\n)\s*#{2,}\s*(?:system|instructions?|assistant|response|new task)\b"
    r"|-{2,}\s*(?:begin|end|start)\b[^-\n]{0,40}\b(?:prompt|instructions?|system|context)\b"
    r"|\bend of (?:the )?(?:system |user )?(?:prompt|instructions|context|memory|memories)\b"
    r"|[\"'](?:name|function|tool|arguments|parameters|newcontent|mustexist|tool_calls?|role|content|system_prompt"
    r"|post_history_instructions"
    r"|first_mes|mes_example|char_name)[\"']\s*:"
    r"|\b(?:updatepersonamemory|tagmemory|loadmemory)\b"
    r"|\{\{[^{}\n]{1,60}\}\}|\{%[^{}\n]{1,60}%\}"
    r"|<!\[cdata\[|<!--|-->"
)


def holds_tags(reading: str) -> bool:
    """Say whether a text, as `readings` gives it, holds tags such as those of a prompt, where they are shown escaped."""
    return bool(_TAG.search(reading))


def holds_frame(reading: str) -> bool:
    """Say whether a text, as `readings` gives it, holds another piece of a prompt's frame: role marks, a chat's template, a call."""
    return bool(_FRAME.search(reading))
