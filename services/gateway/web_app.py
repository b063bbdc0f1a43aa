"""The ASGI application: WebSockets go straight to `sockets`, HTTP to Litestar, with the headers that browsers heed."""

import html
import re
from dataclasses import dataclass
from typing import Any, Final

from litestar import Litestar, Response
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_404_NOT_FOUND
from litestar.types import Message, Receive, Scope
from litestar.types import Send as AsgiSend

from services.gateway import refusals
from services.gateway.api import HANDLERS
from services.gateway.asking import AnyRequest
from services.gateway.backend import Backend
from services.gateway.guesses import Guesses
from services.gateway.history.imports import Files
from services.gateway.history.reader import Histories
from services.gateway.metrics import Metrics
from services.gateway.page import Page
from services.gateway.parameters import check_parameters
from services.gateway.problems import ProblemError, status_of
from services.gateway.readiness import ReadinessProbe
from services.gateway.sockets import Sockets
from services.gateway.tokens import Tokens
from shared.logs import Log
from shared.messages.errors import Error

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing but this server's own files. `connect-src 'self'` covers the WebSocket of the same origin."""
SECURITY_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
DOCUMENT_HEADERS: Final = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
"""What browsers heed with a page of its own alone: a first visit loads some hundred modules, each would bring it."""
PARTS_OF_A_PAGE: Final = (".js", ".css")
SERVICE_WORKER: Final = "/sw.js"
"""It is bound by what comes with it, as a page is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the HTTP handlers use."""

    backend: Backend
    histories: Histories
    files: Files
    metrics: Metrics
    page: Page
    probe: ReadinessProbe
    tokens: Tokens
    guesses: Guesses
    log: Log


class WebApp:
    """The whole gateway as one ASGI application."""

    def __init__(self, http: Litestar, sockets: Sockets) -> None:
        self._http = http
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: AsgiSend) -> None:
        if scope["type"] == ScopeType.WEBSOCKET:
            await self._sockets(scope, receive, send)
            return

        is_part = scope["path"].endswith(PARTS_OF_A_PAGE) and scope["path"] != SERVICE_WORKER

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = () if is_part and message["status"] < HTTP_400_BAD_REQUEST else DOCUMENT_HEADERS
                message["headers"] = [*message["headers"], *SECURITY_HEADERS, *more]
            await send(message)

        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the server below sends no body, as it knows the method
        await self._http(scope, receive, send_secured)


def http_app(parts: Parts | None, *, version: str) -> Litestar:
    """The HTTP application. Without parts it answers nothing, and describes itself all the same."""

    def provide(name: str) -> Provide:
        return Provide(lambda: getattr(parts, name), sync_to_thread=False, use_cache=True)

    return Litestar(
        HANDLERS,
        dependencies={
            "backend": provide("backend"),
            "histories": provide("histories"),
            "files": provide("files"),
            "counted": provide("metrics"),
            "page": provide("page"),
            "probe": provide("probe"),
            "tokens": provide("tokens"),
            "guesses": provide("guesses"),
        },
        before_request=check_parameters,
        exception_handlers={ProblemError: _problem, HTTPException: _http_exception, Exception: _bug(parts)},
        openapi_config=OpenAPIConfig(
            title="klondike",
            version=version,
            path="/api/schema",
            components=Components(
                security_schemes={"token": SecurityScheme(type="http", scheme="bearer", description="A player's token")}
            ),
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin()],
        ),
        logging_config=None,
        debug=False,
    )


def _problem(request: AnyRequest, problem: Exception) -> Response[Any]:
    assert isinstance(problem, ProblemError)
    return _answer(request, problem.error, status_of(problem.error))


def _http_exception(request: AnyRequest, problem: Exception) -> Response[Any]:
    """What Litestar itself refuses: a parameter that is not its type, a method that is not there."""
    assert isinstance(problem, HTTPException)
    if problem.status_code == HTTP_404_NOT_FOUND:
        return _answer(request, refusals.NOT_FOUND, HTTP_404_NOT_FOUND)
    details = problem.extra if isinstance(problem.extra, list) else []
    first = details[0] if details and isinstance(details[0], dict) else {}
    error = Error(
        code="bad-request",
        text=f"The request is not valid: {str(first.get('message') or problem.detail).removesuffix('.')}.",
        fix="Send it as docs/openapi.json describes.",
        field=_field(first),
    )
    return _answer(request, error, problem.status_code)


def _field(detail: dict[str, Any]) -> str | None:
    """What is wrong; of a body that lacks a field, or has one too many, that field."""
    key: str | None = detail.get("key")
    named = re.search("field `(.+?)`", str(detail.get("message")))
    return named[1] if key == "data" and named else key


def _answer(request: AnyRequest, error: Error, status: int) -> Response[Any]:
    headers = {"cache-control": "no-store"}
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        text = f"<!doctype html><title>klondike</title><p>{html.escape(error.text)} <a href='/'>klondike</a>"
        return Response(text, status_code=status, media_type="text/html; charset=utf-8", headers=headers)
    return Response(error, status_code=status, media_type="application/json", headers=headers)


def _bug(parts: Parts | None) -> Any:  # noqa: ANN401 - Litestar's type of exception handlers
    def handle(request: AnyRequest, problem: Exception) -> Response[Any]:
        if parts is not None:
            parts.log.error("request failed", path=request.url.path, exc_info=problem)
        return _answer(request, refusals.INTERNAL, status_of(refusals.INTERNAL))

    return handle
