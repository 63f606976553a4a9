"""All that plugin authors import: the hook marker, and the values that hooks take and return."""

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import (
    Answer,
    AnswerFile,
    Button,
    Choice,
    Command,
    CommandCall,
    Confirmation,
    Option,
    OptionKind,
    UploadedFile,
    WhoMay,
)
from bot.domain.extension import PromptSection, Tool, ToolContext
from bot.domain.message import Attachment, Byline, IncomingMessage, MessageEdit, Part, Person, Quote, ReplyTarget, StoredMessage
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, Image, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.domain.persona import Avatar, Persona
from bot.domain.tool import JsonValue, ToolSpec
from bot.domain.turn import Turn, TurnReport
from bot.errors import (
    DeliveryDelayed,
    DeliveryRefused,
    LoginRefused,
    ModelRefused,
    ModelUnavailable,
    ToolFailed,
    ToolRetry,
    ToolsUnsupported,
)
from bot.plugin.hooks import hookimpl
from bot.ports.model import ChatModel
from bot.ports.platform import Draft, GetPicture, Inbox, NotePosted, Platform, ShowDraft

__all__ = [
    "Answer",
    "AnswerFile",
    "Attachment",
    "Avatar",
    "Button",
    "Byline",
    "ChatMessage",
    "ChatModel",
    "ChatRequest",
    "Choice",
    "Command",
    "CommandCall",
    "Confirmation",
    "ConversationKey",
    "ConversationKind",
    "DeliveryDelayed",
    "DeliveryRefused",
    "Draft",
    "FinishReason",
    "Finished",
    "GetPicture",
    "Image",
    "Inbox",
    "IncomingMessage",
    "JsonValue",
    "LoginRefused",
    "MessageEdit",
    "ModelEvent",
    "ModelRefused",
    "ModelUnavailable",
    "NotePosted",
    "Option",
    "OptionKind",
    "Part",
    "Person",
    "Persona",
    "Platform",
    "PromptSection",
    "Quote",
    "ReplyTarget",
    "ShowDraft",
    "StoredMessage",
    "TextDelta",
    "Tool",
    "ToolCallDelta",
    "ToolContext",
    "ToolFailed",
    "ToolRetry",
    "ToolSpec",
    "ToolsUnsupported",
    "Turn",
    "TurnReport",
    "UploadedFile",
    "Usage",
    "WhoMay",
    "hookimpl",
]
