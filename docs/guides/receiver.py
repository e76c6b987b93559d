"""Receives Aisle webhooks, verifies their signatures and fulfils every new order exactly as ordered.

Needs Python 3.9 or later and no packages. Set AISLE_URL, AISLE_CHAIN, AISLE_TOKEN and AISLE_SIGNING_SECRET (the signing secret,
whsec_…), then run: python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL, CHAIN, TOKEN = os.environ["AISLE_URL"], os.environ["AISLE_CHAIN"], os.environ["AISLE_TOKEN"]
KEY = base64.b64decode(os.environ["AISLE_SIGNING_SECRET"].removeprefix("whsec_"))

events = queue.Queue()  # in production: a table, so that no event is lost when the process stops


def is_signed(headers, body, now):
    """True if one of the signatures matches and the message is at most five minutes old."""
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(now - int(sent_at)) > 300:
        return False
    signed = f"{event_id}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, signature) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))  # the raw bytes: verify first, then parse
        verified = is_signed(self.headers, body, time.time())
        if verified:
            events.put((self.headers["webhook-id"], json.loads(body)))
        self.send_response(200 if verified else 401)  # respond first, process later
        self.end_headers()

    def log_message(self, *_):  # by default, every request is printed
        pass


def process_events():
    seen = set()
    revisions = {}
    while True:
        event_id, event = events.get()
        if event_id in seen:  # delivery is at least once
            continue
        seen.add(event_id)
        order_id = event.get("order_id")
        if order_id and event["revision"] <= revisions.get(order_id, 0):  # a newer event arrived first
            continue
        if order_id:
            revisions[order_id] = event["revision"]
        print("received", event_id, event.get("order_id") or event.get("job_id"), event.get("status"), flush=True)
        if "order_id" in event and event["status"] == "RECEIVED":
            fulfil(event, event_id)


def fulfil(order, event_id):
    by_platform = order["transport_type"] == "LOGISTICS_DELIVERY"
    items = [
        {"_id": item["_id"], "status": "IN_CART", "pricing": {"pricing_type": item["pricing"]["pricing_type"]}}
        for item in order["items"]
    ]
    request = urllib.request.Request(
        f"{URL}/v2/chains/{CHAIN}/orders/{order['order_id']}",
        json.dumps({"status": "READY_FOR_PICKUP" if by_platform else "DISPATCHED", "items": items}).encode(),
        {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Idempotency-Key": event_id},
        method="PUT",
    )
    try:
        with urllib.request.urlopen(request) as response:
            fulfilled = json.load(response)
            print("fulfilled", fulfilled["order_id"], fulfilled["status"], fulfilled["payment"]["order_total"], flush=True)
    except urllib.error.HTTPError as error:  # the body describes the problem; see /docs/errors
        problem = json.load(error)
        print("failed", order["order_id"], problem["code"], problem["detail"], flush=True)


if __name__ == "__main__":
    threading.Thread(target=process_events, daemon=True).start()
    print("Listening on http://127.0.0.1:9000/aisle", flush=True)
    ThreadingHTTPServer(("127.0.0.1", 9000), Receiver).serve_forever()
