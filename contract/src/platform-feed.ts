import Type from 'typebox';
import { described, Id, OneOf, VendorFilter } from './common.ts';
import { FeedEvent, feedRoutes, HasGap } from './feed.ts';
import { platformEventTypes } from './platform-events.ts';
import { route } from './route.ts';

export const PlatformFeedEvent = Type.Object({
  ...FeedEvent.properties,
  type: OneOf(platformEventTypes, { description: 'The type of the event.' }),
  chain_id: described(Id, 'The chain that the event concerns; the id of zeros if it concerns the platform.'),
  vendor_id: FeedEvent.properties.vendor_id,
});

const { after, limit, wait } = feedRoutes.listEvents.query.properties;
const { event_id, ...example } = feedRoutes.listEvents.responses[200].example.events[0];

export const platformFeedRoutes = {
  platformListEvents: route({
    api: 'platform',
    tag: 'Events',
    access: 'platform',
    rateLimit: 'platform',
    method: 'GET',
    path: '/platform/v1/events',
    summary: 'List the events of all chains',
    description: [
      'A feed of what happened in all chains, oldest first: every change of an order by anyone, stores that opened or closed, products that changed, promotions that started or ended, and alerts. Start without `after`, store `next_cursor`, and pass it as `after` in the next request; every event is returned exactly once, unless it was deleted before it was read (`has_gap`). With `wait`, the request is held open until an event arrives (long polling). Use the same filters with a cursor as in the request that returned it.',
      'Events are kept for 30 days, those about products for 7 days. Events about products are recorded while the feed is read with this type (or without `types`) at least every 7 days, or a webhook receives them. The first ones follow a few seconds after the first request.',
    ].join('\n\n'),
    query: Type.Object({
      after,
      limit,
      wait,
      types: Type.Optional(
        Type.Array(OneOf(platformEventTypes), {
          minItems: 1,
          description: 'Return only events of these types, separated by commas or as repeated parameters.',
        }),
      ),
      chain_id: Type.Optional(described(Id, 'Return only events of this chain.')),
      vendor_id: Type.Optional(
        described(
          VendorFilter,
          'Return only events of the vendor with this platform id or external id. Requires `chain_id`.',
        ),
      ),
    }),
    responses: {
      200: {
        description: 'The next events; an empty array if there are none yet.',
        schema: Type.Object({
          events: Type.Array(PlatformFeedEvent, { description: 'The events, oldest first.' }),
          next_cursor: Type.String({ description: 'An opaque cursor, returned even if there are no new events.' }),
          has_gap: Type.Optional(HasGap),
        }),
        example: {
          events: [{ event_id, chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11', ...example }],
          next_cursor: '1042',
        },
      },
    },
    errors: ['chain_not_found', 'vendor_not_found'],
  }),
};
