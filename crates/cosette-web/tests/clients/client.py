"""A client generated from the OpenAPI document by openapi-python-client: it starts, follows and
stops a search. `.ci/api` runs it with the address of a server and its token.
"""

import json
import sys

from cosette_client import AuthenticatedClient
from cosette_client.api.solving import list_solves, solve_position, stop_solve
from cosette_client.models import (
    ApiError,
    QueuedEvent,
    SolveAnswerEvent,
    SolveIterationFinishedEvent,
    SolveIterationStartedEvent,
    SolveProgressEvent,
    SolveRequest,
    SolveResult,
    SolveSolutionEvent,
    SolveStartedEvent,
)

# Reid's superflip: twenty moves, which take the smallest table hours.
SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"

TYPES = {
    "queued": QueuedEvent,
    "started": SolveStartedEvent,
    "solution": SolveSolutionEvent,
    "iteration-started": SolveIterationStartedEvent,
    "iteration-finished": SolveIterationFinishedEvent,
    "progress": SolveProgressEvent,
    "answer": SolveAnswerEvent,
}


def events_of(response):
    """Yields the events of a stream."""
    for line in response.iter_lines():
        if line.startswith("data:"):
            fields = json.loads(line[5:])
            yield TYPES[fields["event"]].from_dict(fields)


address, token = sys.argv[1:]
client = AuthenticatedClient(
    f"{address}/api/v1", token, headers={"accept": "application/json"}, timeout=60
)

result = solve_position.sync(client=client, body=SolveRequest("R U"))
assert isinstance(result, SolveResult), result
assert result.solutions == ["U' R'"], result

request = SolveRequest(SUPERFLIP).to_dict()
seen = set()
answer = None
with client.get_httpx_client().stream(
    "POST", "/solve", json=request, headers={"accept": "text/event-stream"}
) as response:
    number = int(response.headers["search-id"])
    for event in events_of(response):
        if isinstance(event, QueuedEvent):
            assert event.id == number, event
        elif isinstance(event, SolveIterationFinishedEvent) and type(event) not in seen:
            searches = list_solves.sync(client=client).solves
            assert [search.input_ for search in searches if search.id == number] == [SUPERFLIP]
            assert stop_solve.sync_detailed(number, client=client).status_code == 204
        elif isinstance(event, SolveAnswerEvent):
            answer = event
        seen.add(type(event))
assert answer is not None and answer.stop_reason == "interrupt", answer
assert answer.lower_bound > 0, answer
assert {SolveStartedEvent, SolveIterationStartedEvent} <= seen, seen

refused = solve_position.sync(client=client, body=SolveRequest("R’ U’ Q"))
assert isinstance(refused, ApiError) and refused.span == [6, 7], refused
