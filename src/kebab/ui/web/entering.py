"""`/enter`: the one-time key of `kebab web`, or the token of `kebab serve`, becomes a cookie.

Imported only where the server runs: it loads starlette.
"""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kebab.app.tokens import is_token
from kebab.core.errors import InvalidInput
from kebab.ui.serving.replies import as_bytes
from kebab.ui.serving.sessions import Sessions, cookie_name
from kebab.ui.web.requests import from_body
from kebab.ui.web.used_link import HEADERS, used_link, wants_page
from kebab.wire.error import encode_error
from kebab.wire.value import Json


def routes(sessions: Sessions, token: str | None) -> list[Route]:
    async def with_key(request: Request) -> Response:
        # Asking for the head alone must not use up the key.
        secret = sessions.enter(request.query_params.get("key", "")) if request.method == "GET" else None
        if secret is None and wants_page(request.headers.get("accept", "")):
            return Response(used_link(request.headers.get("accept-language", "")), 403, HEADERS)
        if secret is None:
            return _refusal("this key was used before, or never was one", hint="start `kebab web` again")
        return _let_in(RedirectResponse("/", 303), request, secret)

    async def with_token(request: Request) -> Response:
        try:
            given = from_body(await request.body()).get("token")
        except InvalidInput as error:
            return _json(encode_error(error), 400)
        if token is None:
            return _json({"ok": True})
        if not isinstance(given, str) or not is_token(given.strip(), token):
            return _refusal("this is not the token", hint="`kebab serve --new-token` makes one")
        return _let_in(_json({"ok": True}), request, sessions.begin())

    return [Route("/enter", with_key, methods=["GET"]), Route("/enter", with_token, methods=["POST"])]


def _let_in(response: Response, request: Request, secret: str) -> Response:
    _, port = request.scope["server"]
    response.set_cookie(cookie_name(port or 0), secret, path="/", httponly=True, samesite="strict", secure=False)
    return response


def _refusal(why: str, *, hint: str) -> Response:
    return _json(encode_error(InvalidInput(why, hint=hint)), 403)


def _json(value: Json, status: int = 200) -> Response:
    return Response(as_bytes(value), status, media_type="application/json")
