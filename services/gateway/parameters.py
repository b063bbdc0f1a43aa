"""Parameters that nobody asks for: refused by name, since a misspelt filter would be left out in silence."""

from difflib import get_close_matches

from litestar.params import QueryParameter

from services.gateway.asking import AnyRequest
from services.gateway.problems import ProblemError
from shared.messages.errors import Error


async def check_parameters(request: AnyRequest) -> None:
    """Called before each handler. The page's own address is the page's to read.

    Raises:
        ProblemError: the query has a parameter that the handler has not.
    """
    if not request.url.path.startswith("/api/"):
        return
    fields = request.route_handler.parsed_fn_signature.parameters
    known = [name for name, field in fields.items() if isinstance(field.kwarg_definition, QueryParameter)]
    for name in request.query_params:
        if name not in known:
            raise ProblemError(_unknown(name, known))


def _unknown(name: str, known: list[str]) -> Error:
    near = get_close_matches(name, known, 1)
    meant = f"Do you mean {near[0]}?" if near else f"There are {', '.join(known)}." if known else "Leave it out."
    return Error(code="bad-request", text=f"There is no parameter {name!r} here.", fix=meant, field=name)
