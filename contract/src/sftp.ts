import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Page, pageQuery, Timestamp } from './common.ts';
import { AccessibleVendors } from './credentials.ts';
import { examplePage } from './identity.ts';
import { route, type Scope } from './route.ts';
import { valueFaults } from './value-faults.ts';

/** The scopes that an SFTP user can have. The others have no effect on files. */
export const sftpScopes = [
  'catalog:read',
  'catalog:write',
  'promotions:read',
  'promotions:write',
] as const satisfies readonly Scope[];

/** How many public keys an SFTP user can have. */
export const maxPublicKeys = 20;

export const SftpPublicKey = Type.Object({
  key_id: described(Id, 'The id of the key.'),
  type: Type.String({ description: 'The type of the key, e.g. `ssh-ed25519`.' }),
  fingerprint: Type.String({ description: 'The SHA-256 fingerprint of the key, as shown by `ssh-keygen -l`.' }),
  comment: Type.String({ description: 'The comment at the end of the key, often the name of a computer.' }),
  created_at: described(Timestamp, 'When the key was added.'),
});

export const SftpUser = Type.Object({
  sftp_user_id: described(Id, 'The id of the SFTP user.'),
  name: Type.String({ description: 'The name given when the user was created.' }),
  username: Type.String({
    description:
      'The name to log in with: `name` followed by a generated suffix, which makes it unique on this server.',
  }),
  password_login: Type.Boolean({ description: 'Whether the user has a password. If not, only public keys work.' }),
  public_keys: Type.Array(SftpPublicKey, { description: 'The public keys that can be used to log in, oldest first.' }),
  scopes: Type.Array(OneOf(sftpScopes), { description: 'What the user can do; see `scopes` in the request.' }),
  vendor_ids: AccessibleVendors,
  created_at: Timestamp,
  last_login_at: Nullable(described(Timestamp, 'When the user last logged in. Null if never.')),
});

export const NewSftpUser = Type.Object({
  ...SftpUser.properties,
  password: Type.Optional(
    Type.String({
      description: 'The generated password, which is shown only once. Absent if the user has no password.',
    }),
  ),
});

const PublicKeyText = Type.String({
  minLength: 1,
  maxLength: 10_000,
  description:
    'A public key in OpenSSH format: one line such as `ssh-ed25519 AAAA… comment`, the content of a `.pub` file. Allowed types: Ed25519, ECDSA (P-256, P-384, P-521) and RSA with 3072 to 8192 bits.',
});

const scopeDescription =
  '`catalog:write` allows uploads to `/catalog` and `/products`, and `promotions:write` allows uploads to `/promotions`. `catalog:read` allows reading `/exports` and, in `/results`, the results of catalog files; `promotions:read` allows reading the results of promotion files. A token can grant only scopes that it has itself.';
const ScopeList = Type.Array(OneOf(sftpScopes), { minItems: 1, description: scopeDescription });

const vendorIdItems = Type.String({ minLength: 1, maxLength: 64 });
const vendorIdLimits = { minItems: 1, maxItems: 1000 };

export const SftpUserInput = Closed(
  Type.Object({
    name: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,31}$',
      patternHint: valueFaults.sftp_name,
      description:
        'The first part of the name to log in with, e.g. `back-office`. Up to 32 lowercase letters, digits or hyphens, starting with a letter.',
    }),
    password_login: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether to generate a password. With `false`, the user can log in only with public keys, so `public_keys` must contain at least one.',
      }),
    ),
    public_keys: Type.Optional(
      Type.Array(PublicKeyText, {
        maxItems: maxPublicKeys,
        description: 'The public keys that can be used to log in. More can be added later.',
      }),
    ),
    scopes: Type.Optional(
      described(ScopeList, `${scopeDescription} Default: all of these scopes that the caller has.`),
    ),
    vendor_ids: Type.Optional(
      Type.Array(vendorIdItems, {
        ...vendorIdLimits,
        nullHint: 'must be a list of vendor ids; leave it out to grant access to all vendors',
        description:
          'Limits the user to these vendors, given by platform id or external id. Default: all vendors of the chain. Null is rejected.',
      }),
    ),
  }),
);

export const SftpUserChange = Closed(
  Type.Object({
    password_login: Type.Optional(
      Type.Boolean({
        description: 'With `false`, the password is deleted. To create a new one, reset the password.',
      }),
    ),
    scopes: Type.Optional(ScopeList),
    vendor_ids: Type.Optional(
      Nullable(
        Type.Array(vendorIdItems, {
          ...vendorIdLimits,
          description:
            'Limits the user to these vendors, given by platform id or external id. Null: all vendors of the chain.',
        }),
      ),
    ),
  }),
);

export const SftpServer = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the operator has enabled the SFTP server.' }),
  host: Nullable(Type.String({ description: 'The host name to connect to. Null if the server is not enabled.' })),
  port: Nullable(Type.Integer({ description: 'The port to connect to. Null if the server is not enabled.' })),
  host_keys: Type.Array(
    Type.Object({
      type: Type.String({ description: 'The type of the key, e.g. `ssh-ed25519`.' }),
      fingerprint: Type.String({
        description: 'The SHA-256 fingerprint. Compare it with the one that your client shows at the first login.',
      }),
    }),
    { description: "The server's host keys." },
  ),
});

const exampleKeyText =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO2ESGccYBd+qZVvsSWP/KhPXNXCXf1iloPzFe/o5do8 backup@palm-grocer';
const exampleSftpUser = {
  sftp_user_id: '3a1f7c52-7a0e-4a55-9a3f-5d1f1b7a9c02',
  name: 'back-office',
  username: 'back-office-k3x9f2',
  password_login: true,
  public_keys: [
    {
      key_id: '5b2e8d63-8b1f-4b66-8b40-6e2a2c8bad13',
      type: 'ssh-ed25519',
      fingerprint: 'SHA256:3DrynrQuyzX15rz8wNxfAwLLgEJLZXcQ6H2n1tb9jLQ',
      comment: 'backup@palm-grocer',
      created_at: '2026-05-04T09:30:00.000Z',
    },
  ],
  scopes: ['catalog:read', 'catalog:write'],
  vendor_ids: null,
  created_at: '2026-05-04T09:30:00.000Z',
  last_login_at: null,
};
const exampleNewSftpUser = { ...exampleSftpUser, password: 'h7Jq2Lx0Tn5Wc9Rb' };
const exampleInput = { name: 'back-office', scopes: ['catalog:read', 'catalog:write'], public_keys: [exampleKeyText] };

const manage = { api: 'partner', tag: 'SFTP', access: 'manage' } as const;
const user = {
  ...manage,
  path: '/v2/chains/{chain_id}/sftp-users/{sftp_user_id}',
} as const;
const ownAccess =
  'A token or client cannot give an SFTP user more access than it has itself: any other scopes or vendors are rejected with 403. SFTP users do not expire, so a token that expires cannot do this.';
const closesSessions = "The user's open sessions are closed immediately.";

/** SFTP users and the SFTP server that they log in to. */
export const sftpRoutes = {
  getSftpServer: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/sftp-server',
    summary: 'Get the address and host keys of the SFTP server',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'How to connect to the SFTP server.',
        schema: SftpServer,
        example: {
          enabled: true,
          host: 'sftp.aisle.example',
          port: 2222,
          host_keys: [{ type: 'ssh-ed25519', fingerprint: 'SHA256:9zVxF7q0vYl3m2d8hJ0b0Qw1rW6l4t0s8m5u2k7n1aE' }],
        },
      },
    },
    errors: [],
  }),

  listSftpUsers: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/sftp-users',
    summary: 'List SFTP users',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of SFTP users, newest first.',
        schema: Page('sftp_users', SftpUser),
        example: { sftp_users: [exampleSftpUser], ...examplePage },
      },
    },
    errors: [],
  }),

  createSftpUser: route({
    ...manage,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sftp-users',
    summary: 'Create an SFTP user',
    description: `The user can upload CSV files, which become the same jobs as requests to the API, and read exports and results. ${ownAccess}`,
    rateLimit: 'manage_write',
    body: { required: true, schema: SftpUserInput, example: exampleInput },
    responses: {
      201: {
        description: 'The new user, with the password if one was generated. The password is shown only once.',
        schema: NewSftpUser,
        example: exampleNewSftpUser,
      },
    },
    errors: ['sftp_user_limit_reached'],
  }),

  getSftpUser: route({
    ...user,
    method: 'GET',
    summary: 'Get an SFTP user',
    rateLimit: 'read',
    responses: { 200: { description: 'The SFTP user.', schema: SftpUser, example: exampleSftpUser } },
    errors: ['sftp_user_not_found'],
  }),

  updateSftpUser: route({
    ...user,
    method: 'PATCH',
    summary: 'Change what an SFTP user can access',
    description: `${closesSessions} ${ownAccess}`,
    rateLimit: 'manage_write',
    body: { required: true, schema: SftpUserChange, example: { scopes: ['catalog:read'] } },
    responses: { 200: { description: 'The changed user.', schema: SftpUser, example: exampleSftpUser } },
    errors: ['sftp_user_not_found'],
  }),

  deleteSftpUser: route({
    ...user,
    method: 'DELETE',
    summary: 'Delete an SFTP user',
    description: `${closesSessions} Files that the user has uploaded completely are still processed.`,
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The deleted user.', schema: SftpUser, example: exampleSftpUser } },
    errors: ['sftp_user_not_found'],
  }),

  resetSftpPassword: route({
    ...user,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sftp-users/{sftp_user_id}/reset-password',
    summary: "Reset an SFTP user's password",
    description: `The old password stops working. ${closesSessions} ${ownAccess}`,
    rateLimit: 'manage_write',
    responses: {
      200: {
        description: 'The user with the new password, which is shown only once.',
        schema: NewSftpUser,
        example: exampleNewSftpUser,
      },
    },
    errors: ['sftp_user_not_found'],
  }),

  addSftpPublicKey: route({
    ...user,
    method: 'POST',
    path: '/v2/chains/{chain_id}/sftp-users/{sftp_user_id}/public-keys',
    summary: 'Add a public key to an SFTP user',
    description: `If the user already has the key, only its comment changes. ${closesSessions} ${ownAccess}`,
    rateLimit: 'manage_write',
    body: {
      required: true,
      schema: Closed(Type.Object({ public_key: PublicKeyText })),
      example: { public_key: exampleKeyText },
    },
    responses: { 201: { description: 'The user with the new key.', schema: SftpUser, example: exampleSftpUser } },
    errors: ['sftp_user_not_found', 'public_key_limit_reached'],
  }),

  deleteSftpPublicKey: route({
    ...user,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/sftp-users/{sftp_user_id}/public-keys/{key_id}',
    summary: 'Remove a public key from an SFTP user',
    description: closesSessions,
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The user without the key.', schema: SftpUser, example: exampleSftpUser } },
    errors: ['sftp_user_not_found', 'public_key_not_found'],
  }),
};
