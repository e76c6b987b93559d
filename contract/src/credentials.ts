import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Page, pageQuery, Timestamp, TimestampInput } from './common.ts';
import { examplePage, Name } from './identity.ts';
import { route, scopes } from './route.ts';

const ScopeList = Type.Array(OneOf(scopes), {
  minItems: 1,
  description:
    'The scopes to grant; a token or client can grant only scopes that it has itself. Default: all scopes of the caller except `manage` and `users:manage`.',
});

const VendorIdList = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 1000,
  nullHint: 'must be a list of vendor ids; leave it out to grant access to all vendors',
  description:
    'Limits the credential to these vendors, given by platform id or external id. Default: all vendors of the chain. Null is rejected.',
});

export const AccessibleVendors = Nullable(
  Type.Array(Type.String(), {
    description:
      'The platform ids of the vendors that can be accessed. Null if access is not restricted to certain vendors.',
  }),
);

export const ApiToken = Type.Object({
  token_id: described(Id, 'The id of the token, which is not secret.'),
  name: Type.String({ description: 'The name that was given to the token.' }),
  prefix: Type.String({ description: 'The first characters of the token, so that you can identify it.' }),
  scopes: Type.Array(OneOf(scopes), { description: 'The scopes of the token.' }),
  vendor_ids: AccessibleVendors,
  created_at: Timestamp,
  last_used_at: Nullable(described(Timestamp, 'When the token was last used. Null if never.')),
  expires_at: Nullable(described(Timestamp, 'When the token expires. Null if it does not expire.')),
});

export const ApiTokenInput = Closed(
  Type.Object({
    name: Name,
    scopes: Type.Optional(ScopeList),
    vendor_ids: Type.Optional(VendorIdList),
    expires_at: Type.Optional(
      described(
        TimestampInput,
        'When the token expires. Must be in the future. A token that expires can create only tokens that expire at the same time or earlier. Default: never, or when the token that creates it expires. UTC is assumed if there is no offset.',
      ),
    ),
  }),
);

export const NewApiToken = Type.Object({
  ...ApiToken.properties,
  token: Type.String({ description: 'The token. It is shown only once; only its hash is stored.' }),
});

export const Client = Type.Object({
  client_id: Type.String({ description: 'The id of the client, for `/v2/oauth/token`.' }),
  name: Type.String({ description: 'The name that was given to the client.' }),
  scopes: Type.Array(OneOf(scopes), { description: "The scopes of the client's access tokens." }),
  vendor_ids: AccessibleVendors,
  created_at: Timestamp,
  last_used_at: Nullable(described(Timestamp, "When one of the client's access tokens was last used. Null if never.")),
});

export const ClientInput = Closed(
  Type.Object({ name: Name, scopes: Type.Optional(ScopeList), vendor_ids: Type.Optional(VendorIdList) }),
);

export const NewClient = Type.Object({
  ...Client.properties,
  client_secret: Type.String({ description: 'The client secret. It is shown only once; only its hash is stored.' }),
});

export const exampleToken = {
  token_id: '7b0c2b6e-6a53-4f0e-9d51-0f6a2f1a7c11',
  name: 'Nightly stock upload',
  prefix: 'aisle_live_7Hq2',
  scopes: ['catalog:read', 'catalog:write'],
  vendor_ids: null,
  created_at: '2026-05-04T09:30:00.000Z',
  last_used_at: null,
  expires_at: null,
};
export const exampleTokenInput = { name: 'Nightly stock upload', scopes: ['catalog:read', 'catalog:write'] };
export const exampleNewToken = { ...exampleToken, token: 'aisle_live_7Hq2…' };
export const exampleClient = {
  client_id: 'client_4Jx0sT6mQv2b',
  name: 'Order pickers',
  scopes: ['orders:read', 'orders:write'],
  vendor_ids: null,
  created_at: '2026-05-04T09:30:00.000Z',
  last_used_at: null,
};
export const exampleClientInput = { name: 'Order pickers', scopes: ['orders:read', 'orders:write'] };
export const exampleNewClient = { ...exampleClient, client_secret: 'aisle_secret_9tBz…' };

const creationDescription =
  'A token or client cannot create a credential with more access than it has itself. A request for scopes that it does not have, for other vendors or for a later expiry is rejected with 403; `detail` says what exceeds its own access. Owners can grant any scope.';

const manage = { api: 'partner', tag: 'Management', access: 'manage' } as const;

/** API tokens, and OAuth clients with their access tokens. */
export const credentialRoutes = {
  getAccessToken: route({
    method: 'POST',
    path: '/v2/oauth/token',
    api: 'partner',
    tag: 'Authentication',
    summary: 'Exchange client credentials for an access token',
    description:
      'OAuth 2.0 client credentials grant (RFC 6749, section 4.4). Send the credentials in the form body or with HTTP Basic authentication. Error responses are `application/json` with `error` and `error_description` (section 5.2), in addition to the usual fields.',
    access: 'public',
    rateLimit: 'token',
    body: {
      form: 'urlencoded',
      required: true,
      schema: Type.Object({
        grant_type: Type.String({ description: 'Always `client_credentials`.' }),
        client_id: Type.Optional(
          Type.String({ description: 'The id of the client. Required unless it is in the `Authorization` header.' }),
        ),
        client_secret: Type.Optional(
          Type.String({
            description: 'The client secret. Required unless it is in the `Authorization` header.',
          }),
        ),
        scope: Type.Optional(
          Type.String({
            description:
              "The scopes to request, separated by spaces. Must be a subset of the client's scopes. Default: all of them.",
          }),
        ),
      }),
      example: {
        grant_type: 'client_credentials',
        client_id: 'client_4Jx0sT6mQv2b',
        client_secret: 'aisle_secret_9tBz…',
      },
    },
    responses: {
      200: {
        description: 'An access token.',
        schema: Type.Object({
          access_token: Type.String({ description: 'The access token. Send it as `Authorization: Bearer <token>`.' }),
          token_type: OneOf(['Bearer'], { description: 'How to send the token.' }),
          expires_in: Type.Integer({ description: 'The lifetime of the token in seconds.' }),
          scope: Type.String({ description: 'The scopes of the token, separated by spaces.' }),
        }),
        example: {
          access_token: 'aisle_access_3kPq…',
          token_type: 'Bearer',
          expires_in: 7200,
          scope: 'orders:read orders:write',
        },
      },
    },
    errors: ['invalid_client', 'invalid_scope'],
  }),

  listTokens: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/tokens',
    summary: 'List API tokens',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description:
          'A page of tokens that have not expired or been revoked, newest first. The token values are not included.',
        schema: Page('tokens', ApiToken),
        example: { tokens: [exampleToken], ...examplePage },
      },
    },
    errors: [],
  }),

  createToken: route({
    ...manage,
    method: 'POST',
    path: '/v2/chains/{chain_id}/tokens',
    summary: 'Create an API token',
    description: creationDescription,
    rateLimit: 'manage_write',
    body: { required: true, schema: ApiTokenInput, example: exampleTokenInput },
    responses: {
      201: { description: 'The new token. It is shown only once.', schema: NewApiToken, example: exampleNewToken },
    },
    errors: ['token_limit_reached'],
  }),

  deleteToken: route({
    ...manage,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/tokens/{token_id}',
    summary: 'Revoke an API token',
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The revoked token.', schema: ApiToken, example: exampleToken } },
    errors: ['token_not_found'],
  }),

  listClients: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/clients',
    summary: 'List client credentials',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of clients, newest first. The secrets are not included.',
        schema: Page('clients', Client),
        example: { clients: [exampleClient], ...examplePage },
      },
    },
    errors: [],
  }),

  createClient: route({
    ...manage,
    method: 'POST',
    path: '/v2/chains/{chain_id}/clients',
    summary: 'Create client credentials',
    description: `${creationDescription} Clients do not expire, so a token with an expiry date cannot create one.`,
    rateLimit: 'manage_write',
    body: { required: true, schema: ClientInput, example: exampleClientInput },
    responses: {
      201: {
        description: 'The new client with its secret. The secret is shown only once.',
        schema: NewClient,
        example: exampleNewClient,
      },
    },
    errors: ['client_limit_reached'],
  }),

  deleteClient: route({
    ...manage,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/clients/{client_id}',
    summary: 'Delete a client and revoke its access tokens',
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The deleted client.', schema: Client, example: exampleClient } },
    errors: ['client_not_found'],
  }),
};
