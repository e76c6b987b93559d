"""Verifies webhooks from Aisle. Needs Python 3.9 or later and no packages."""

import base64
import hashlib
import hmac
import sys


def is_signed(secret, headers, body, now):
    """`headers` has lower-case names, `body` is the raw body as bytes, and `now` is the Unix time in seconds."""
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(now - int(sent_at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{sent_at}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, given) for given in signatures)


# Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64.
if __name__ == "__main__":
    for line in sys.stdin:
        secret, event_id, sent_at, signatures, now, body = line.rstrip("\n").split("\t")
        names = {"webhook-id": event_id, "webhook-timestamp": sent_at, "webhook-signature": signatures}
        print(str(is_signed(secret, names, base64.b64decode(body), int(now))).lower())
