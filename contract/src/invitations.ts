import Type from 'typebox';
import { Closed, described, Timestamp } from './common.ts';
import { route } from './route.ts';
import { Code, exampleSession, exampleUser, Invitation, exampleInvitation, Password, Session, User } from './user.ts';

const Token = Type.String({
  maxLength: 200,
  description: 'The token from the invitation link: the part of the URL after `#`.',
});

const InvitedUser = Type.Object({
  email: Type.String({ description: 'The email address that the user signs in with.' }),
  name: Type.String({ description: 'The name of the user.' }),
  chain_name: Type.String({ description: 'The name of the chain that the user is invited to.' }),
  expires_at: described(Timestamp, 'When the invitation expires.'),
  needs_code: Type.Boolean({
    description: 'Whether the user has a second factor, so that accepting the invitation requires a `code`.',
  }),
});

const NewInvitation = Type.Object({ ...User.properties, invitation: Invitation });
const exampleToken = 'aisle_invite_h7Jq2Lx0Tn5Wc9Rbh7Jq2Lx0Tn5Wc9Rb0a1B2c';

const users = { api: 'partner', tag: 'Portal users', access: 'users:manage' } as const;
const open = { api: 'partner', tag: 'Portal session', access: 'public', rateLimit: 'sign_in' } as const;

export const invitationRoutes = {
  inviteUser: route({
    ...users,
    method: 'POST',
    path: '/v2/chains/{chain_id}/users/{user_id}/invitation',
    summary: 'Create an invitation link for a portal user',
    description:
      'With the link, the user sets a password and is signed in. It works once, for 7 days, and replaces an earlier link. Use it also for a user who forgot the password: the current password works until the user has set a new one. A token that expires cannot invite users.',
    rateLimit: 'manage_write',
    responses: {
      201: {
        description: 'The user with the invitation. The link is shown only once.',
        schema: NewInvitation,
        example: { ...exampleUser, invitation: exampleInvitation },
        headers: ['cache-control'],
      },
    },
    errors: ['user_not_found'],
  }),

  revokeInvitation: route({
    ...users,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/users/{user_id}/invitation',
    summary: 'Revoke the invitation of a portal user',
    description: 'The link stops working. The user stays, and can be invited again.',
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The user.', schema: User, example: exampleUser } },
    errors: ['user_not_found', 'invitation_not_found'],
  }),

  readInvitation: route({
    ...open,
    method: 'POST',
    path: '/v2/portal/invitation/read',
    summary: 'Read an invitation',
    description: 'Shows whom the invitation is for. The token is sent in the body, so that it does not appear in logs.',
    body: { required: true, schema: Closed(Type.Object({ token: Token })), example: { token: exampleToken } },
    responses: {
      200: {
        description: 'The invited user.',
        schema: InvitedUser,
        example: {
          email: 'picker@palm-grocer.example',
          name: 'Picking team',
          chain_name: 'Palm Grocer',
          expires_at: '2026-05-11T09:30:00.000Z',
          needs_code: false,
        },
        headers: ['cache-control'],
      },
    },
    errors: ['invitation_not_found'],
  }),

  acceptInvitation: route({
    ...open,
    audit: true,
    method: 'POST',
    path: '/v2/portal/invitation',
    summary: 'Accept an invitation',
    description:
      "Sets the user's password, ends all of the user's other sessions and sets the session cookie. The invitation cannot be used again. Failed attempts delay further attempts from the same IP address.",
    body: {
      required: true,
      schema: Closed(Type.Object({ token: Token, password: Password, code: Type.Optional(Code) })),
      example: { token: exampleToken, password: 'a longer password of your choice' },
    },
    responses: {
      201: {
        description: 'The new session.',
        schema: Session,
        example: exampleSession,
        headers: ['set-cookie', 'cache-control'],
      },
    },
    errors: [
      'invitation_not_found',
      'invalid_credentials',
      'second_factor_required',
      'invalid_code',
      'forbidden',
      'secret_key_missing',
    ],
  }),
};
