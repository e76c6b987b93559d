import base64
import hashlib
import hmac
import json
import unittest
from email.message import Message
from typing import Any

from aisle_sdk import AisleError, RecentIds, WebhookError, WebhookMessage, receive_webhook, verify_webhook

OLD_SECRET = "whsec_" + base64.b64encode(b"o" * 32).decode()
NEW_SECRET = "whsec_" + base64.b64encode(b"n" * 32).decode()
SENT_AT = 1_777_887_000
MESSAGE_ID = "01a1e03d-82f1-7d88-85ae-6ca3c7d9c4df"
BODY = json.dumps({"status": "RECEIVED", "order_id": "1", "note": "خبز"}, ensure_ascii=False)


def sign(secret: str, body: str = BODY, timestamp: object = SENT_AT) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{MESSAGE_ID}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def headers(signature: str, **more: str) -> dict[str, str]:
    return {
        "Webhook-Id": MESSAGE_ID,
        "webhook-timestamp": str(SENT_AT),
        "webhook-signature": signature,
        "aisle-event-type": "order.received",
        "x-environment": "production",
        **{name.replace("_", "-"): value for name, value in more.items()},
    }


def verify(signature: str, secrets: Any = NEW_SECRET, body: Any = BODY, **options: Any) -> WebhookMessage:
    more = options.pop("headers", {})
    return verify_webhook(headers(signature, **more), body, secrets, **{"now": SENT_AT + 5, **options})


class WebhookTest(unittest.TestCase):
    def assert_rejected(self, reason: str, status: int, *args: Any, **options: Any) -> None:
        with self.assertRaises(WebhookError) as caught:
            verify(*args, **options)
        self.assertEqual((caught.exception.reason, caught.exception.status), (reason, status))

    def test_an_authentic_message_is_parsed(self) -> None:
        for body in (BODY, BODY.encode()):
            message = verify(sign(NEW_SECRET), body=body)
            self.assertEqual((message.id, message.type, message.environment), (MESSAGE_ID, "order.received", "production"))
            self.assertEqual(message.body["note"], "خبز")
            self.assertEqual(message.sent_at.timestamp(), SENT_AT)

    def test_the_headers_of_the_standard_library_are_accepted(self) -> None:
        received = Message()
        for name, value in headers(sign(NEW_SECRET)).items():
            received[name] = value
        self.assertEqual(verify_webhook(received, BODY, NEW_SECRET, now=SENT_AT).id, MESSAGE_ID)

    def test_both_secrets_work_while_the_secret_is_rotated(self) -> None:
        both = f"{sign(NEW_SECRET)} {sign(OLD_SECRET)}"
        for secrets in (OLD_SECRET, NEW_SECRET, [OLD_SECRET, NEW_SECRET]):
            self.assertEqual(verify(both, secrets).id, MESSAGE_ID)
        self.assertEqual(verify(sign(OLD_SECRET), [NEW_SECRET, OLD_SECRET]).id, MESSAGE_ID)

    def test_another_body_secret_id_or_time_is_rejected(self) -> None:
        signature = sign(NEW_SECRET)
        self.assert_rejected("invalid_signature", 401, signature, body=BODY.replace("1", "2"))
        self.assert_rejected("invalid_signature", 401, signature, OLD_SECRET)
        self.assert_rejected("invalid_signature", 401, signature, headers={"webhook_timestamp": str(SENT_AT + 1)})
        self.assert_rejected("invalid_signature", 401, signature[3:])
        self.assert_rejected("invalid_signature", 401, signature[:20])
        self.assert_rejected("invalid_signature", 401, "v1,not base64")
        self.assert_rejected("missing_header", 400, "")

    def test_an_old_message_and_one_from_the_future_are_rejected(self) -> None:
        signature = sign(NEW_SECRET)
        self.assertEqual(verify(signature, now=SENT_AT + 300).id, MESSAGE_ID)
        self.assert_rejected("too_old", 401, signature, now=SENT_AT + 301)
        self.assert_rejected("too_old", 401, signature, now=SENT_AT - 301)
        late = sign(NEW_SECRET, timestamp="now")
        self.assert_rejected("too_old", 401, late, headers={"webhook_timestamp": "now"})

    def test_a_message_that_was_handled_before_is_a_duplicate(self) -> None:
        self.assert_rejected("duplicate", 200, sign(NEW_SECRET), seen={MESSAGE_ID})

    def test_the_type_must_match_the_signed_body_unless_it_is_unknown(self) -> None:
        signature = sign(NEW_SECRET)
        self.assert_rejected("type_mismatch", 400, signature, headers={"aisle_event_type": "order.cancelled"})
        self.assertEqual(verify(signature, headers={"aisle_event_type": "order.teleported"}).type, "order.teleported")

    def test_a_signed_body_that_is_not_json_is_rejected(self) -> None:
        self.assert_rejected("invalid_body", 400, sign(NEW_SECRET, "{"), body="{")

    def test_a_signed_body_that_is_not_an_object_is_rejected(self) -> None:
        for body in ("null", "5", '"x"', "[]", "[" * 100_000):
            self.assert_rejected("invalid_body", 400, sign(NEW_SECRET, body), body=body)

    def test_characters_and_numbers_that_cannot_be_signed_are_rejected(self) -> None:
        self.assert_rejected("invalid_signature", 401, sign(NEW_SECRET), body="\udc80")
        self.assert_rejected("invalid_signature", 401, "v1,خ")
        late = "9" * 5000
        self.assert_rejected(
            "too_old", 401, sign(NEW_SECRET, timestamp=late), headers={"webhook_timestamp": late}
        )

    def test_a_secret_that_is_not_base64_is_a_mistake_in_the_program(self) -> None:
        wrong: list[Any] = ["whsec_?", []]
        for secrets in wrong:
            with self.assertRaises(AisleError) as caught:
                verify(sign(NEW_SECRET), secrets)
            self.assertNotIsInstance(caught.exception, WebhookError)

    def test_a_message_is_handled_once_and_again_only_if_handling_failed(self) -> None:
        seen = RecentIds()
        handled: list[str] = []

        def receive(handle: Any) -> int:
            return receive_webhook(
                headers(sign(NEW_SECRET)),
                BODY,
                secrets=lambda: [OLD_SECRET, NEW_SECRET],
                handle=handle,
                seen=seen,
                tolerance_seconds=10**10,
            ).status

        with self.assertRaises(ZeroDivisionError):
            receive(lambda message: 1 // 0)
        for _ in range(2):
            self.assertEqual(receive(lambda message: handled.append(message.id)), 200)
        self.assertEqual(handled, [MESSAGE_ID])

    def test_recent_ids_forget_the_oldest(self) -> None:
        ids = RecentIds(2)
        for one in ("a", "b", "c"):
            ids.add(one)
        self.assertEqual([one in ids for one in ("a", "b", "c")], [False, True, True])
