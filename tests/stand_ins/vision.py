"""Ollama's `/api/generate` for images, on a `StandInServer`: checks what it is asked, says what it is told."""

import base64
from typing import Any

from stand_ins.model_server import MODEL, Refusal, StandInServer

PNG = b"\x89PNG\r\n\x1a\n"


def sees(server: StandInServer, says: str, model: str = MODEL) -> None:
    """From now on the server's model says this of every image."""

    def answer(body: Any) -> object:
        if body["model"] != model:
            raise Refusal(404, {"error": f'model "{body["model"]}" not found, try pulling it first'})
        images = [base64.b64decode(image, validate=True) for image in body["images"]]
        if len(images) != 1 or not images[0].startswith(PNG):
            raise Refusal(400, {"error": "failed to decode image"})
        end = {"done": True, "done_reason": "stop", "eval_count": 3, "total_duration": 1}
        return {"model": body["model"], "response": says, **end}

    server.routes["/api/generate"] = answer
