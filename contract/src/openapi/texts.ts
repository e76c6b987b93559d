import { rateLimits } from '../route.ts';

/** Titles and descriptions in the OpenAPI documents. */
export const titles = { partner: 'Aisle partner API', platform: 'Aisle platform API' };

export const descriptions = {
  partner: [
    'Chains use this API to keep their catalog up to date and to fulfil orders.',
    '## Conventions',
    'Bodies are JSON encoded as UTF-8. Unknown query parameters and fields are ignored and listed in the headers `aisle-ignored-parameters` and `aisle-ignored-fields`; management routes reject unknown fields. Null is the same as absent unless documented otherwise. Timestamps in responses are RFC 3339 in UTC with milliseconds; timestamps in requests can have an offset or `Z`, and UTC is assumed if they have neither. Lists are paginated with `page` and `page_size`. Every response has an `x-request-id` header.',
    'Every PUT and POST accepts an `Idempotency-Key`, which is stored for 24 hours. A request with the same key and the same body returns the stored response and has no further effect.',
    `Rate limits in requests per minute: ${Object.entries(rateLimits)
      .map(([name, limit]) => `\`${name}\` ${limit}`)
      .join(
        ', ',
      )}. They apply to each token; \`sign_in\` to each user and IP address, and \`anonymous\` to requests without valid credentials from each IP address. All tokens and clients of a chain together have three times the limit of one token. The \`RateLimit\` headers show the remaining requests.`,
    'Changes within v2 are backward compatible. A breaking change is released as v3, and v2 stays available for another twelve months. Deprecated routes send the `Deprecation` and `Sunset` headers.',
    '## Errors',
    'Error responses are `application/problem+json` (RFC 9457). See [all error codes and how to handle them](/docs/errors).',
  ].join('\n\n'),
  platform: [
    'The internal API for the operator, the storefront and the riders. It requires a platform token.',
    'Errors are the same as in the partner API. See [all error codes and how to handle them](/docs/errors).',
  ].join('\n\n'),
};

export const tagDescriptions: Record<string, string> = {
  Authentication: 'Access tokens for client credentials, and the limits of this installation.',
  Catalog: 'Prices, stock and availability of products, and new products.',
  'Catalog jobs': 'Bulk updates, product creation and exports: status, progress and result files.',
  Categories: "The chain's category tree.",
  Promotions: 'Product discounts at one or more stores, applied by jobs.',
  Files: 'CSV files that update the catalog, create products or define promotions.',
  Orders: 'Reading, fulfilling and cancelling orders.',
  Picking: 'What the pickers of a store share: the queue, who picks which order, and what has been picked so far.',
  Outlets: "The chain's stores, and whether they are open.",
  Events: 'All events, as a feed with a cursor.',
  Webhooks: 'Webhook configuration, and deliveries with their attempts.',
  'Request log': "The requests sent by the chain's systems, and the responses.",
  Management: "The chain's settings, API tokens and client credentials.",
  Sandbox: 'Test orders, and acting as the customer or rider at test stores.',
  Certification: "Scripted test orders that check a chain's receiver and device.",
  SFTP: 'The SFTP server, and the users who upload files with it.',
  Statistics: "The data behind the portal's charts.",
  'Portal session': "Signing in to the portal, and the user's own sessions and second factor.",
  'Portal users': 'People who can sign in to the portal.',
  Storefront: 'What customers see of a catalog, and its changes.',
  Chains: 'The chains in the marketplace.',
  Vendors: 'The stores in a chain.',
  Credentials: 'The first credentials of a new chain.',
  'Console session': "Signing in to the console, and the user's own password and second factor.",
  'Console users': "The operator's users, who can sign in to the console.",
  'Audit log': 'Who changed what, when and from where.',
  Operations: 'What is happening on the platform, and what needs attention.',
  Support: 'Finding anything by its id, and what happened to an order.',
};
