"""`/v1/watch`: whether the server watches for changes, and a switch for whoever may write."""

from kebab.ui.options import Kind, Option
from kebab.ui.serving.calls import Call
from kebab.ui.serving.state import Pace
from kebab.ui.serving.tools import Tool
from kebab.ui.web.routes import Way
from kebab.ui.web.watching import Watch
from kebab.wire.value import Json

PATH = "/v1/watch"
_WATCHING = Option("watching", Kind.FLAG, "true: switch it on; false: switch it off.", "watching", required=True)


def switches(watch: Watch) -> tuple[Way, ...]:
    def state(_call: Call) -> Json:
        return watch.state()

    def switch(call: Call) -> Json:
        return watch.switch(on=call.values["watching"])

    return (
        Way(
            "GET",
            PATH,
            Tool(
                "watch_state",
                "Whether changes are watched for",
                "Whether the index is kept current while files change, what was done last, and what it takes to do so.",
                (),
                "watch.v1",
                state,
            ),
        ),
        Way(
            "POST",
            PATH,
            Tool(
                "watch",
                "Watch for changes, or stop",
                "Keep the index current while files change, or stop after the file at hand. Twice is the same as once.",
                (_WATCHING,),
                "watch.v1",
                switch,
                Pace.SWITCH,
                writes=True,
            ),
        ),
    )
