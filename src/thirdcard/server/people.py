"""People and other systems are let in while the server runs, by two people."""

from thirdcard.access.actors import Staff
from thirdcard.access.credentials import weak
from thirdcard.access.people import Made, Two
from thirdcard.floor.state import ServiceAccount, Webhook
from thirdcard.refusals import Refused
from thirdcard.server.commands import second_person
from thirdcard.server.context import ServerContext
from thirdcard.server.http import Call
from thirdcard.staff import Post
from thirdcard.wire.answers import (
    AccountLine,
    AccountMade,
    FactorShown,
    PersonChanged,
    WebhookLine,
    WebhookMade,
)
from thirdcard.wire.forms import (
    AccountForm,
    Credentials,
    PersonForm,
    RenewFactorForm,
    ResetPasswordForm,
    WebhookForm,
)


async def add_person(context: ServerContext, call: Call) -> PersonChanged | Refused:
    """Let a person sign in; a second factor that the posts need is shown once."""
    form: PersonForm = call.form
    two = weak(form.name, form.password) or await _two(context, call, form.authoriser)
    if isinstance(two, Refused):
        return two
    posts = tuple(map(Post, form.posts))
    return _answer(await context.people.add(form.name, posts, form.password, by=two))


async def reset_password(context: ServerContext, call: Call) -> PersonChanged | Refused:
    """Give another person a new password, which ends their sessions."""
    form: ResetPasswordForm = call.form
    name = call.path["name"]
    two = weak(name, form.password) or await _two(context, call, form.authoriser)
    if isinstance(two, Refused):
        return two
    return _answer(await context.people.change_password(name, form.password, by=two))


async def renew_factor(context: ServerContext, call: Call) -> PersonChanged | Refused:
    """Give another person a new second factor, which ends their sessions and is shown once."""
    form: RenewFactorForm = call.form
    two = await _two(context, call, form.authoriser)
    if isinstance(two, Refused):
        return two
    return _answer(await context.people.renew_factor(call.path["name"], by=two))


async def accounts(context: ServerContext, call: Call) -> tuple[AccountLine, ...]:  # noqa: ARG001
    """The service accounts, without their secrets."""
    return tuple(map(_account_line, context.directory.floor.newest_accounts))


async def add_account(context: ServerContext, call: Call) -> AccountMade | Refused:
    """Make a service account; its secret is shown once."""
    form: AccountForm = call.form
    two = await _two(context, call, form.authoriser)
    if isinstance(two, Refused):
        return two
    made = await context.accounts.add(form.name, form.scopes, form.days, by=two)
    return made if isinstance(made, Refused) else AccountMade(_account_line(made.account), made.secret)


def _account_line(account: ServiceAccount) -> AccountLine:
    return AccountLine(
        name=account.name,
        scopes=account.scopes,
        since=account.since,
        ends=account.ends,
        by=account.by,
        second=account.second,
        ended=account.ended,
    )


async def webhooks(context: ServerContext, call: Call) -> tuple[WebhookLine, ...]:  # noqa: ARG001
    """The webhooks, without their secrets."""
    return tuple(map(_webhook_line, context.directory.floor.webhooks))


async def add_webhook(context: ServerContext, call: Call) -> WebhookMade | Refused:
    """Set up a webhook; its secret is shown once."""
    form: WebhookForm = call.form
    two = await _two(context, call, form.authoriser)
    if isinstance(two, Refused):
        return two
    made = await context.webhooks.add(form.name, form.url, form.scopes, by=two)
    return made if isinstance(made, Refused) else WebhookMade(_webhook_line(made.webhook), made.secret)


def _webhook_line(webhook: Webhook) -> WebhookLine:
    return WebhookLine(
        name=webhook.name,
        url=webhook.url,
        scopes=webhook.scopes,
        by=webhook.by,
        second=webhook.second,
        stopped=webhook.stopped,
    )


async def _two(context: ServerContext, call: Call, credentials: Credentials) -> Two | Refused:
    assert isinstance(call.actor, Staff)
    second = await second_person(context, call.actor, credentials, call.address)
    return second if isinstance(second, Refused) else Two(call.actor.name, second.name)


def _answer(made: Made | Refused) -> PersonChanged | Refused:
    if isinstance(made, Refused):
        return made
    factor = made.factor
    return PersonChanged(FactorShown(factor.text, factor.picture) if factor else None)
