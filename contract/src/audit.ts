import Type from 'typebox';
import { cursorQuery, described, Id, Nullable, OneOf, Timestamp, TimestampInput } from './common.ts';
import { route } from './route.ts';

export const auditActorKinds = ['user', 'token', 'client', 'platform', 'operator', 'command'] as const;

const AuditActor = Type.Object(
  {
    kind: OneOf(auditActorKinds, {
      description:
        'A portal user, an API token, a client, a platform token, one of the operator’s users, or a command on the server.',
    }),
    id: Type.String({ description: 'The id of the user, token or client.' }),
    name: Type.String({ description: 'The email address of a user, or the name of a token or client, at that time.' }),
  },
  { description: 'Who did it.' },
);

export const AuditEntry = Type.Object({
  entry_id: described(Id, 'The id of the entry.'),
  at: described(Timestamp, 'When it was done.'),
  chain_id: Nullable(described(Id, 'The chain that it concerns. Null if it concerns the platform.')),
  actor: AuditActor,
  is_on_behalf: Type.Boolean({ description: 'Whether one of the operator’s users acted on behalf of the chain.' }),
  action: Type.String({ description: 'What was done: the operation id from the API reference.' }),
  targets: Type.Record(Type.String(), Type.String(), {
    description: 'The ids of what was changed, such as `user_id`.',
  }),
  details: Type.Unknown({ description: 'What the request contained, without secrets. Null if there was no body.' }),
  address: Nullable(Type.String({ description: 'The IP address of the client. Null for a command on the server.' })),
  request_id: Nullable(Type.String({ description: 'The id of the request, as in `X-Request-Id`.' })),
});

const filters = {
  chain_id: Type.Optional(described(Id, 'Only entries that concern this chain.')),
  actor_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only what this user, token or client did.' })),
  action: Type.Optional(Type.String({ maxLength: 100, description: 'Only this action.' })),
  target: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only entries with this id among their targets, or this request id.' }),
  ),
  since: Type.Optional(described(TimestampInput, 'Only entries from this time on.')),
  until: Type.Optional(described(TimestampInput, 'Only entries before this time.')),
};

const exampleEntry = {
  entry_id: '0197e4f2-4b60-7d7c-8a52-1de6cf0c2f10',
  at: '2026-05-04T09:30:00.000Z',
  chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
  actor: { kind: 'user', id: '0d9f8f9e-3f50-4d5c-a3c2-6c6f0a9f5b21', name: 'owner@palm-grocer.example' },
  is_on_behalf: false,
  action: 'createToken',
  targets: { token_id: '5b0c8a52-7e55-4c0a-9d53-2c6f8c3c0a77' },
  details: { name: 'Till', scopes: ['orders:read'] },
  address: '198.51.100.7',
  request_id: '0197e4f2-4b5f-7a10-9a53-5e0c5f0b9f11',
};

const audit = {
  api: 'platform',
  tag: 'Audit log',
  access: 'platform',
  rateLimit: 'platform',
  method: 'GET',
} as const;

export const auditRoutes = {
  platformListAuditEntries: route({
    ...audit,
    path: '/platform/v1/audit',
    summary: 'List the audit log',
    description:
      'Who changed what, when and from where: sign-ins, users, tokens, clients, webhooks, stores, settings, certifications, reverts, chains and everything that is done in the console. Newest first. Entries are never changed or deleted, and do not contain secrets.',
    query: Type.Object({ ...filters, cursor: cursorQuery.cursor, limit: cursorQuery.limit }),
    responses: {
      200: {
        description: 'A page of entries, newest first.',
        schema: Type.Object({
          entries: Type.Array(AuditEntry, { description: 'The entries.' }),
          next_cursor: Nullable(Type.String({ description: 'The cursor for the next page. Null on the last page.' })),
        }),
        example: { entries: [exampleEntry], next_cursor: null },
      },
    },
    errors: [],
  }),

  platformExportAuditEntries: route({
    ...audit,
    path: '/platform/v1/audit/export',
    summary: 'Export the audit log',
    description: 'All entries that match, newest first, as a file.',
    query: Type.Object({
      ...filters,
      format: Type.Optional(
        OneOf(['csv', 'ndjson'], { description: 'The format of the file: CSV (default) or a JSON object per line.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The entries.',
        mediaTypes: ['text/csv', 'application/x-ndjson'],
        row: AuditEntry,
        headers: ['content-disposition'],
      },
    },
    errors: [],
  }),
};
