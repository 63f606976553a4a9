"""What an endpoint has to offer."""

import asyncio
from collections.abc import Sequence

from openai import APIConnectionError, APIError, APIStatusError, AsyncOpenAI

from bot.errors import ModelRefused, ModelUnavailable
from bot.llm.openai_errors import Whom, explain
from bot.llm.openai_model import NO_KEY


async def offered_models(*, base_url: str, api_key: str, model: str, seconds: float) -> Sequence[str]:
    """Return the models that an endpoint names. Raises ModelUnavailable when it cannot be reached in time, else ModelRefused."""
    whom = Whom(base_url, model, api_key)
    client = AsyncOpenAI(base_url=base_url, api_key=api_key or NO_KEY, max_retries=0, timeout=seconds)
    try:
        async with client, asyncio.timeout(seconds):
            return [offered.id for offered in (await client.models.list()).data]
    except APIStatusError as error:
        raise explain(error, whom) from None
    except (APIConnectionError, TimeoutError):
        raise ModelUnavailable(f"The model endpoint at {whom.place} does not answer.") from None
    except (APIError, AttributeError, TypeError, ValueError):
        raise ModelRefused(f"What answers at {whom.place} is no chat API; check OPENAI_BASE_URL, which usually ends in /v1.") from None
