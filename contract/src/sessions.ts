import Type from 'typebox';
import { described, Id, Nullable, Page, pageQuery, Timestamp } from './common.ts';
import { route } from './route.ts';

export const SessionSummary = Type.Object({
  session_id: described(Id, 'The id of the session. It cannot be used to sign in.'),
  created_at: described(Timestamp, 'When the user signed in.'),
  last_used_at: described(Timestamp, 'When the session was last used, to within about a minute.'),
  expires_at: described(
    Timestamp,
    'When the session expires, even if it is used. It ends earlier if it is not used for `session_idle_minutes` (see `/v2/limits`).',
  ),
  address: Nullable(
    Type.String({
      description: 'The IP address that the user signed in from. Null for sessions created by an older version.',
    }),
  ),
  device: Nullable(
    Type.String({
      description: 'The browser and operating system, as the browser reported them. Null if unknown.',
    }),
  ),
  is_current: Type.Boolean({ description: 'Whether this is the session used for the request.' }),
});

const SessionToken = Type.Object({
  token: Type.String({
    description: 'The token. Send it as `Authorization: Bearer <token>`. Only its hash is stored.',
  }),
  expires_at: described(Timestamp, 'When the token expires. It stops working earlier if the session ends.'),
});

const EndedSessions = Type.Object({
  ended_sessions: Type.Integer({ description: 'The number of sessions that ended.' }),
});

const exampleSummary = {
  session_id: '5b0c2b6e-6a53-4f0e-9d51-0f6a2f1a7c12',
  created_at: '2026-05-04T09:30:00.000Z',
  last_used_at: '2026-05-04T11:05:00.000Z',
  expires_at: '2026-05-04T21:30:00.000Z',
  address: '192.0.2.14',
  device: 'Chrome on Windows',
  is_current: true,
};
const examplePage = { sessions: [exampleSummary], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 };
const listed = {
  description: 'A page of sessions, most recently used first.',
  schema: Page('sessions', SessionSummary),
  example: examplePage,
};
const ended = { description: 'The session that ended.', schema: SessionSummary, example: exampleSummary };
const endedAll = { description: 'How many sessions ended.', schema: EndedSessions, example: { ended_sessions: 2 } };

const own = { api: 'partner', tag: 'Portal session', access: 'session' } as const;
const users = { api: 'partner', tag: 'Portal users', access: 'users:manage', role: 'OWNER' } as const;

export const sessionRoutes = {
  listOwnSessions: route({
    ...own,
    method: 'GET',
    path: '/v2/portal/sessions',
    summary: 'List your own sessions',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: { 200: listed },
    errors: [],
  }),

  endOwnSession: route({
    ...own,
    method: 'DELETE',
    path: '/v2/portal/sessions/{session_id}',
    summary: 'End one of your own sessions',
    description: 'The session ends immediately. Ending the current session is the same as signing out.',
    rateLimit: 'manage_write',
    responses: { 200: ended },
    errors: ['session_not_found'],
  }),

  endOtherSessions: route({
    ...own,
    method: 'DELETE',
    path: '/v2/portal/sessions',
    summary: 'End all of your other sessions',
    description: 'All of your sessions except the current one end immediately.',
    rateLimit: 'manage_write',
    responses: { 200: endedAll },
    errors: [],
  }),

  createSessionToken: route({
    ...own,
    method: 'POST',
    path: '/v2/portal/session/token',
    summary: 'Create a short-lived token for your session',
    description:
      'The API reference uses this route, so that a signed-in user can send requests from it. The token is valid for 15 minutes, and stops working as soon as the session ends. Its requests have the role and the stores of the user, as they are at the time of the request, with these exceptions: it cannot be used for the routes under `/v2/portal` or to manage users, and like every token that expires, it cannot create clients or SFTP users, or tokens that expire later. It is not part of the list of API tokens, because it belongs to the session.',
    rateLimit: 'manage_write',
    responses: {
      201: {
        description: 'The new token. It is shown only once.',
        schema: SessionToken,
        example: { token: 'aisle_user_5Kd8…', expires_at: '2026-05-04T11:20:00.000Z' },
        headers: ['cache-control'],
      },
    },
    errors: [],
  }),

  listUserSessions: route({
    ...users,
    method: 'GET',
    path: '/v2/chains/{chain_id}/users/{user_id}/sessions',
    summary: "List a portal user's sessions",
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: { 200: listed },
    errors: ['user_not_found'],
  }),

  endUserSession: route({
    ...users,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/users/{user_id}/sessions/{session_id}',
    summary: "End one of a portal user's sessions",
    rateLimit: 'manage_write',
    responses: { 200: ended },
    errors: ['user_not_found', 'session_not_found'],
  }),

  endUserSessions: route({
    ...users,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/users/{user_id}/sessions',
    summary: "End all of a portal user's sessions",
    description: 'The user is signed out everywhere, but can sign in again.',
    rateLimit: 'manage_write',
    responses: { 200: endedAll },
    errors: ['user_not_found'],
  }),
};
