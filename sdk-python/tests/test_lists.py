from urllib.parse import parse_qs, urlsplit

from local_server import ServerTest, respond


class ListsTest(ServerTest):
    def sent_queries(self) -> list[dict[str, str]]:
        queries = [parse_qs(urlsplit(one["path"]).query) for one in self.server.received]
        return [{name: values[0] for name, values in query.items()} for query in queries]

    def test_numbered_pages_are_read_until_the_last_one(self) -> None:
        client = self.client(
            respond(200, {"vendors": [{"vendor_id": "a"}], "page_number": 1, "total_pages": 2}),
            respond(200, {"vendors": [{"vendor_id": "b"}], "page_number": 2, "total_pages": 2}),
        )
        self.assertEqual([one["vendor_id"] for one in client.list_vendors_all()], ["a", "b"])
        self.assertEqual(self.sent_queries(), [{"page": "1", "page_size": "100"}, {"page": "2", "page_size": "100"}])

    def test_a_bare_array_ends_with_the_first_page_that_is_not_full(self) -> None:
        client = self.client(respond(200, [{"order_id": "a"}, {"order_id": "b"}]), respond(200, [{"order_id": "c"}]))
        orders = client.list_orders_bare_all(vendor_id="v", page_size=2)
        self.assertEqual([one["order_id"] for one in orders], ["a", "b", "c"])

    def test_a_cursor_replaces_where_the_list_started(self) -> None:
        client = self.client(
            respond(200, {"orders": [{"order_id": "a"}], "next_cursor": "n", "has_more": True}),
            respond(200, {"orders": [], "next_cursor": "o", "has_more": False}),
        )
        pages = list(client.list_chain_orders_pages(updated_since="2026-05-04T00:00:00Z"))
        self.assertEqual([page["next_cursor"] for page in pages], ["n", "o"])
        self.assertEqual(self.sent_queries(), [{"updated_since": "2026-05-04T00:00:00Z"}, {"cursor": "n"}])

    def test_the_feed_ends_with_the_first_response_without_events(self) -> None:
        client = self.client(
            respond(200, {"events": [{"event_id": "a"}], "next_cursor": "1"}),
            respond(200, {"events": [], "next_cursor": "1"}),
        )
        self.assertEqual([one["event_id"] for one in client.list_events_all()], ["a"])
        self.assertEqual(self.sent_queries(), [{}, {"after": "1"}])

    def test_the_next_page_is_read_only_when_it_is_needed(self) -> None:
        client = self.client(respond(200, {"vendors": [{"vendor_id": "a"}], "page_number": 1, "total_pages": 9}))
        self.assertEqual(next(client.list_vendors_all())["vendor_id"], "a")
        self.assertEqual(len(self.server.received), 1)
