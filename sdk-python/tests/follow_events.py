"""Follows the feed and prints each event, until it has printed as many as given. Kept simple, so that a test can kill it.

Started by server/test/api/sdk-python/package.test.ts.
"""

import os
import threading
from pathlib import Path

from aisle_sdk import Client
from aisle_sdk.models import FeedEvent

cursor_file = Path(os.environ["CURSOR_FILE"])
remaining = int(os.environ["COUNT"])
stop = threading.Event()


def handle(event: FeedEvent) -> None:
    global remaining
    if event["type"] != "order.received":
        return
    if os.environ.get("FAIL_AT") == event["body"]["order_id"]:
        os._exit(3)
    print(event["body"]["order_id"], flush=True)
    remaining -= 1
    if remaining == 0:
        stop.set()


start = cursor_file.read_text() if cursor_file.exists() else None
with Client(os.environ["AISLE_URL"], token=os.environ["AISLE_TOKEN"]) as aisle:
    aisle.consume_events(start, handle, cursor_file.write_text, stop=stop, limit=1, wait_seconds=1)
