"""Which model a persona speaks with."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.conversation.measured_model import MeasuredModel
from bot.domain.persona import Persona
from bot.ports.metrics import NO_METRICS, Metrics
from bot.ports.model import ChatModel


@dataclass(frozen=True, slots=True)
class Models:
    """The registered models by name, and the one for personas that name none of them."""

    by_name: Mapping[str, ChatModel]
    default: ChatModel
    metrics: Metrics = NO_METRICS

    def of(self, persona: Persona) -> ChatModel:
        """Return the persona's model; a name that is not registered is a model of the default one's endpoint."""
        model = self.by_name.get(persona.model.name, self.default)
        return model if self.metrics is NO_METRICS else MeasuredModel(model, self.metrics)
