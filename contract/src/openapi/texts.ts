import { rateLimits } from '../route.ts';

/** What the documents say about themselves. */
export const titles = { partner: 'Aisle partner API', platform: 'Aisle platform API' };

export const descriptions = {
  partner: [
    'A chain keeps its catalog current and picks its orders with this API.',
    '## Conventions',
    'JSON in UTF-8. Unknown fields and parameters are ignored; null means absent unless stated otherwise. Times in responses are RFC 3339 in UTC with milliseconds; times in requests may have no offset (taken as UTC), `Z` or an offset. Lists are paged with `page` and `page_size`. Every response carries `x-request-id`.',
    '`Idempotency-Key` is honoured on every PUT and POST for 24 hours: the same key with the same body gives the same response and has no second effect.',
    `Requests are limited per token and minute: ${Object.entries(rateLimits)
      .map(([name, limit]) => `\`${name}\` ${limit}`)
      .join(', ')}. The \`RateLimit\` headers show what is left.`,
    'Within v2 changes are additions only. A breaking change becomes v3, and v2 stays available for twelve months; an operation that will be removed carries `Deprecation` and `Sunset`.',
    '## Errors',
    'Failures are `application/problem+json` (RFC 9457). [Every code, and what to do about it](/docs/errors).',
  ].join('\n\n'),
  platform: [
    "The marketplace's own API: the operator, the storefront and the riders use it, with platform tokens.",
    'Failures are the same as those of the partner API. [Every code, and what to do about it](/docs/errors).',
  ].join('\n\n'),
};

export const tagDescriptions: Record<string, string> = {
  Authentication: 'Access tokens for client credentials, and the limits of this installation.',
  Catalog: 'Prices, stock and availability of products, and new products.',
  'Catalog jobs': 'Bulk updates, product creation and exports: status, progress and result files.',
  Categories: "The chain's category tree.",
  Promotions: 'Discounts on products at stores, applied by jobs.',
  Orders: 'Reading and picking orders.',
  Outlets: "The chain's stores, and whether they are open.",
  Events: 'Everything that happened, as a feed with a cursor.',
  Webhooks: 'Where events are sent, what was sent, and sending it again.',
  Management: 'Settings, API tokens and client credentials of the chain.',
  Sandbox: 'Test orders, and playing customer and rider at test stores.',
  Statistics: "Numbers behind the portal's charts.",
  'Portal session': 'Signing in to the portal.',
  'Portal users': 'People who can sign in to the portal.',
  Chains: 'The chains of the marketplace.',
  Vendors: 'The stores of a chain.',
  Credentials: 'The first credentials of a new chain.',
};
