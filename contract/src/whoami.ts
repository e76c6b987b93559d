import Type from 'typebox';
import { described, Id, Nullable, OneOf, Timestamp } from './common.ts';
import { AccessibleVendors } from './credentials.ts';
import { Name, Profile } from './identity.ts';
import { exampleLimits, Limits } from './limits.ts';
import { route, scopes } from './route.ts';
import { Role } from './user.ts';

export const credentialKinds = ['TOKEN', 'CLIENT', 'USER'] as const;

export const Whoami = Type.Object({
  kind: OneOf(credentialKinds, {
    description:
      'TOKEN: an API token. CLIENT: an access token obtained with client credentials. USER: a portal session.',
  }),
  id: Type.String({ description: 'The token id, the client id or the user id.' }),
  name: Type.String({ description: 'The name of the token, the client or the user.' }),
  chain: Type.Object(
    { chain_id: described(Id, 'The id of the chain.'), name: Name, profile: Profile },
    { description: 'The chain that the credentials belong to; its id is the `chain_id` in all paths.' },
  ),
  scopes: Type.Array(OneOf(scopes), {
    description:
      'The scopes of the credentials. For a user, the scopes that the role fully covers; every role also has read access to what `manage` and `users:manage` cover.',
  }),
  role: Nullable(Role),
  vendor_ids: AccessibleVendors,
  expires_at: Nullable(
    Type.String({ ...Timestamp, description: 'When the token or session expires. Null if it does not expire.' }),
  ),
  limits: Limits,
});

export const whoamiRoutes = {
  whoami: route({
    method: 'GET',
    path: '/v2/whoami',
    api: 'partner',
    tag: 'Authentication',
    summary: 'Show the credentials in use and what they allow',
    description:
      'The chain, scopes, vendors and expiry of the token or session used for the request, and the limits that apply. Works with every token of a chain, regardless of its scopes. Platform tokens do not belong to a chain and get 403.',
    access: 'any',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The credentials.',
        schema: Whoami,
        example: {
          kind: 'TOKEN',
          id: '7b0c2b6e-6a53-4f0e-9d51-0f6a2f1a7c11',
          name: 'Nightly stock upload',
          chain: { chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11', name: 'Palm Grocer', profile: 'strict' },
          scopes: ['catalog:read', 'catalog:write'],
          role: null,
          vendor_ids: ['s8ym'],
          expires_at: null,
          limits: exampleLimits,
        },
      },
    },
    errors: [],
  }),
};
