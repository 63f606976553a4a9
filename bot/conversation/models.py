"""Which model a persona speaks with."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.persona import Persona
from bot.ports.model import ChatModel


@dataclass(frozen=True, slots=True)
class Models:
    """The registered models by name, and the one for personas that name none of them."""

    by_name: Mapping[str, ChatModel]
    default: ChatModel

    def of(self, persona: Persona) -> ChatModel:
        """Return the persona's model; a name that is not registered is a model of the default one's endpoint."""
        return self.by_name.get(persona.model.name, self.default)
