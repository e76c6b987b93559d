"""Verifies one message, read as JSON from standard input. Started by server/test/api/sdk-python/package.test.ts."""

import json
import sys

from aisle_sdk import WebhookError, verify_webhook

request = json.load(sys.stdin)
try:
    message = verify_webhook(request["headers"], request["body"], request["secrets"])
    print(json.dumps({"id": message.id, "type": message.type, "body": message.body}))
except WebhookError as error:
    print(json.dumps({"reason": error.reason}))
