"""Calls operations for a test: reads one JSON object per line, and writes one line with the outcome.

Started by server/test/every-operation-python.test.ts.
"""

import json
import sys
from typing import Any

from aisle_sdk import ApiError, ApiResponse, Client, Download
from aisle_sdk.jobs import AcceptedJob


def call(request: dict[str, Any]) -> dict[str, Any]:
    responses: list[ApiResponse] = []
    with Client(request["base_url"], token=request.get("token"), headers=request.get("headers")) as client:
        method = getattr(client, request["method"])
        try:
            result = method(**request["arguments"], options={"on_response": responses.append})
            if request.get("is_iterated"):
                return {"first": next(iter(result), None)}
        except ApiError as error:
            return {"code": error.code, "problem": error.problem, "request_id": error.request_id}
        if isinstance(result, Download):
            described = {"file_name": result.file_name, "content_type": result.content_type}
            return {**described, "text": result.text()}
        data = result.response if isinstance(result, AcceptedJob) else result
    [response] = responses
    assert response.data == data
    return {"status": response.status, "data": data}


for line in sys.stdin:
    print(json.dumps(call(json.loads(line))), flush=True)
