"""Routes for answers to interactions: the callback, follow-ups, and changing them."""

from dataclasses import replace

from aiohttp import web

from tests.emulators.discord.command_rules import check_choices
from tests.emulators.discord.interactions import CallbackKind, Interaction, InteractionKind
from tests.emulators.discord.mentions import Allowed
from tests.emulators.discord.objects import (
    EPHEMERAL,
    LOADING,
    Attachment,
    Message,
    MessageKind,
    Payload,
)
from tests.emulators.discord.payloads import message_payload
from tests.emulators.discord.posting import Draft
from tests.emulators.discord.refusals import (
    already_acknowledged,
    check_body,
    empty_message,
    expired_token,
    invalid_form,
    snowflake,
    unknown_interaction,
    unknown_message,
    unknown_webhook,
)
from tests.emulators.discord.rest import API, Rest, answer, nothing, read_body

WEBHOOK = f"{API}/webhooks/{{webhook_id}}/{{webhook_token}}"
ALLOWED_CALLBACKS = {
    InteractionKind.COMMAND: {
        CallbackKind.MESSAGE,
        CallbackKind.DEFERRED_MESSAGE,
        CallbackKind.MODAL,
    },
    InteractionKind.COMPONENT: set(CallbackKind) - {CallbackKind.CHOICES},
    InteractionKind.AUTOCOMPLETE: {CallbackKind.CHOICES},
    InteractionKind.MODAL: set(CallbackKind) - {CallbackKind.CHOICES, CallbackKind.MODAL},
}


class InteractionRoutes:
    """What the bot says to somebody's command, button or form."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._world = rest.world

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        router = app.router
        router.add_post(f"{API}/interactions/{{interaction_id}}/{{token}}/callback", self.callback)
        router.add_post(WEBHOOK, self.follow_up)
        router.add_get(f"{WEBHOOK}/messages/{{message_id}}", self.read)
        router.add_patch(f"{WEBHOOK}/messages/{{message_id}}", self.edit)
        router.add_delete(f"{WEBHOOK}/messages/{{message_id}}", self.delete)

    async def callback(self, request: web.Request) -> web.Response:
        """Take the first answer: once, and within three seconds."""
        interaction_id = snowflake("interaction_id", request.match_info["interaction_id"])
        interaction = self._rest.interactions.get(interaction_id, request.match_info["token"])
        if interaction is None or (interaction.acknowledged is None and interaction.too_late):
            raise unknown_interaction()
        if interaction.acknowledged is not None:
            raise already_acknowledged()
        body, files = await read_body(self._world, request)
        self._act(interaction, _callback_kind(interaction, body), body.get("data") or {}, files)
        interaction.acknowledged = self._world.clock()
        self._rest.changes.notify()
        if request.query.get("with_response") not in ("1", "true"):
            return nothing()
        return answer(self._callback_payload(interaction))

    async def follow_up(self, request: web.Request) -> web.Response:
        """Post a further answer; the first one after a deferral replaces the spinner."""
        interaction = self._by_token(request)
        body, files = await read_body(self._world, request)
        self._check(body, files)
        spinner = interaction.original
        if spinner is not None and spinner.loading and not spinner.deleted:
            return self._show(self._finish(spinner, body, files))
        draft = self._draft(interaction, body, files)
        message = self._publish(replace(draft, kind=MessageKind.DEFAULT))
        interaction.follow_ups.append(message)
        self._rest.changes.notify()
        return self._show(message)

    async def read(self, request: web.Request) -> web.Response:
        """Return one of the answers."""
        return self._show(self._message(request))

    async def edit(self, request: web.Request) -> web.Response:
        """Change one of the answers, also the spinner and also what only the asker sees."""
        message = self._message(request)
        body, files = await read_body(self._world, request)
        check_body(body, files=len(files))
        if message.loading:
            return self._show(self._finish(message, body, files))
        self._rest.post.edit(message, body, allowed=Allowed.from_body(body))
        return self._show(message)

    async def delete(self, request: web.Request) -> web.Response:
        """Remove one of the answers."""
        self._rest.post.delete(self._message(request))
        return nothing()

    def _act(
        self,
        interaction: Interaction,
        kind: CallbackKind,
        data: Payload,
        files: list[Attachment],
    ) -> None:
        match kind:
            case CallbackKind.MESSAGE:
                self._check(data, files)
                interaction.original = self._publish(self._draft(interaction, data, files))
            case CallbackKind.DEFERRED_MESSAGE:
                flags = LOADING | (data.get("flags") or 0) & EPHEMERAL
                draft = replace(self._draft(interaction, {}, []), flags=flags)
                interaction.original = self._publish(draft)
            case CallbackKind.UPDATE:
                check_body(data, files=len(files))
                interaction.original = interaction.source
                if interaction.source is not None:
                    self._rest.post.edit(interaction.source, data)
            case CallbackKind.DEFERRED_UPDATE:
                interaction.original = interaction.source
            case CallbackKind.CHOICES:
                check_choices("data.choices", data.get("choices") or [])
                interaction.choices = data.get("choices") or []
            case CallbackKind.MODAL:
                interaction.form = data
        interaction.callback = kind

    def _check(self, body: Payload, files: list[Attachment]) -> None:
        check_body(body, files=len(files))
        if not ((body.get("content") or "").strip() or body.get("embeds") or files):
            raise empty_message()

    def _draft(self, interaction: Interaction, body: Payload, files: list[Attachment]) -> Draft:
        return Draft(
            interaction.channel,
            self._world.bot,
            (body.get("content") or "").strip(),
            allowed=Allowed.from_body(body),
            attachments=files,
            embeds=body.get("embeds") or [],
            components=body.get("components") or [],
            flags=(body.get("flags") or 0) & EPHEMERAL,
            webhook_id=self._world.application_id,
            interaction_id=interaction.id,
            asker=interaction.user,
            kind=MessageKind.SLASH_COMMAND,
        )

    def _publish(self, draft: Draft) -> Message:
        hidden = draft.flags & EPHEMERAL
        return self._rest.post.compose(draft) if hidden else self._rest.post.publish(draft)

    def _finish(self, spinner: Message, body: Payload, files: list[Attachment]) -> Message:
        """Turn the spinner into its answer; it stays as public or private as it was deferred."""
        if not ((body.get("content") or "").strip() or body.get("embeds") or files):
            raise empty_message()
        allowed = Allowed.from_body(body)
        final = self._rest.post.compose(Draft(spinner.channel, spinner.author, body.get("content") or "", allowed=allowed))
        spinner.pinged = frozenset() if spinner.ephemeral else final.pinged
        spinner.attachments = files
        spinner.flags &= ~LOADING
        self._rest.post.edit(spinner, body, allowed=allowed)
        spinner.edited = None
        return spinner

    def _by_token(self, request: web.Request) -> Interaction:
        interaction = self._rest.interactions.by_token(request.match_info["webhook_token"])
        if interaction is None:
            raise unknown_webhook()
        if interaction.expired:
            raise expired_token()
        if interaction.acknowledged is None:
            raise unknown_webhook()
        return interaction

    def _message(self, request: web.Request) -> Message:
        interaction = self._by_token(request)
        wanted = request.match_info["message_id"]
        found = interaction.original
        if wanted != "@original":
            answers = (found, *interaction.follow_ups)
            found = next((m for m in answers if m is not None and str(m.id) == wanted), None)
        if found is None or found.deleted:
            raise unknown_message()
        return found

    def _callback_payload(self, interaction: Interaction) -> Payload:
        message = interaction.original
        about: Payload = {"id": str(interaction.id), "type": int(interaction.kind)}
        if message is None or interaction.callback is None:
            return {"interaction": about}
        about |= {
            "response_message_id": str(message.id),
            "response_message_loading": message.loading,
            "response_message_ephemeral": message.ephemeral,
        }
        resource = {"type": int(interaction.callback), "message": self._payload(message)}
        return {"interaction": about, "resource": resource}

    def _payload(self, message: Message) -> Payload:
        return message_payload(self._world, message, self._rest.gateway.files_url)

    def _show(self, message: Message) -> web.Response:
        return answer(self._payload(message))


def _callback_kind(interaction: Interaction, body: Payload) -> CallbackKind:
    number = body.get("type")
    if number not in set(CallbackKind) or number not in ALLOWED_CALLBACKS[interaction.kind]:
        message = f"Value must be one of the types for {interaction.kind.name.lower()}."
        raise invalid_form("type", "BASE_TYPE_CHOICES", message)
    return CallbackKind(number)
