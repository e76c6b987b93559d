import Type from 'typebox';
import { Closed, described, Id, pageQuery } from './common.ts';
import { Name } from './identity.ts';
import { route } from './route.ts';
import {
  Role,
  Password,
  Code,
  User,
  UserInput,
  NewUser,
  Session,
  exampleUser,
  exampleUserInput,
  exampleNewUser,
  exampleSession,
  userPage,
  UserVendors,
} from './user.ts';

const users = { api: 'partner', tag: 'Portal users', access: 'users:manage' } as const;
const session = { api: 'partner', tag: 'Portal session', path: '/v2/portal/session' } as const;

export const userRoutes = {
  listUsers: route({
    ...users,
    method: 'GET',
    path: '/v2/chains/{chain_id}/users',
    summary: 'List portal users',
    orScopes: ['manage'],
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: { 200: userPage },
    errors: [],
  }),

  createUser: route({
    ...users,
    method: 'POST',
    path: '/v2/chains/{chain_id}/users',
    summary: 'Create a portal user',
    description:
      'Owners can do this in the portal. A token needs the scope `users:manage`, which is not part of `manage`, because a user with the role `OWNER` has access to everything in the chain. The token must not expire, because users do not expire either. With `invite`, the user sets the password with a link; otherwise the user has to change the password that you set or that was generated.',
    rateLimit: 'manage_write',
    body: { required: true, schema: UserInput, example: exampleUserInput },
    responses: {
      201: {
        description: 'The new user, with the password if it was generated, or with the invitation.',
        schema: NewUser,
        example: exampleNewUser,
      },
    },
    errors: ['email_taken'],
  }),

  updateUser: route({
    ...users,
    method: 'PATCH',
    path: '/v2/chains/{chain_id}/users/{user_id}',
    summary: "Update a portal user's name, role or stores",
    description:
      "A new role and new stores take effect with the user's next request. A token that expires cannot change them. At least one owner must have access to all stores.",
    rateLimit: 'manage_write',
    body: {
      required: true,
      schema: Closed(Type.Partial(Type.Object({ name: Name, role: Role, vendor_ids: UserVendors }))),
      example: { role: 'OWNER' },
    },
    responses: { 200: { description: 'The updated user.', schema: User, example: exampleUser } },
    errors: ['user_not_found', 'last_owner'],
  }),

  resetPassword: route({
    ...users,
    method: 'POST',
    path: '/v2/chains/{chain_id}/users/{user_id}/reset-password',
    summary: "Reset a portal user's password",
    description:
      "The old password stops working and all of the user's sessions end immediately. The user has to change the new password after signing in. A token that expires cannot reset passwords.",
    rateLimit: 'manage_write',
    responses: {
      200: {
        description: 'The user with the new password, which is shown only once.',
        schema: NewUser,
        example: exampleNewUser,
      },
    },
    errors: ['user_not_found'],
  }),

  deleteUser: route({
    ...users,
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/users/{user_id}',
    summary: 'Delete a portal user and end their sessions',
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The deleted user.', schema: User, example: exampleUser } },
    errors: ['user_not_found', 'last_owner'],
  }),

  signIn: route({
    ...session,
    method: 'POST',
    summary: 'Sign in to the portal',
    description:
      'Sets the session cookie. Attempts are rate limited for each combination of email address and IP address, and for each IP address. After five failures, the next attempt for this email address from this IP address is possible only after a delay, which doubles with every failure; other IP addresses are not affected. If the user has a second factor, a request without `code` returns 401 `second_factor_required`; send it again with a code. Wrong codes delay further codes for this user from every IP address.',
    access: 'public',
    audit: true,
    rateLimit: 'sign_in',
    body: {
      required: true,
      schema: Type.Object({
        email: Type.String({ maxLength: 254, description: 'The email address of the user.' }),
        password: Type.String({ maxLength: 1000, description: 'The password of the user.' }),
        chain_id: Type.Optional(
          described(Id, 'Chooses the chain if users of several chains have this email address and password.'),
        ),
        code: Type.Optional(Code),
      }),
      example: { email: 'owner@palm-grocer.example', password: 'h7Jq2Lx0Tn5Wc9Rb' },
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
      'invalid_credentials',
      'several_accounts',
      'second_factor_required',
      'invalid_code',
      'forbidden',
      'secret_key_missing',
    ],
  }),

  getSession: route({
    ...session,
    method: 'GET',
    summary: 'Get the current session',
    access: 'session',
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The signed-in user and the chain.',
        schema: Session,
        example: exampleSession,
        headers: ['cache-control'],
      },
    },
    errors: [],
  }),

  signOut: route({
    ...session,
    method: 'DELETE',
    summary: 'Sign out',
    access: 'session',
    rateLimit: 'manage_write',
    responses: {
      200: {
        description: 'The session that ended.',
        schema: Session,
        example: exampleSession,
        headers: ['set-cookie', 'cache-control'],
      },
    },
    errors: [],
  }),

  changePassword: route({
    ...session,
    method: 'PUT',
    path: '/v2/portal/session/password',
    summary: 'Change your own password',
    description: "All of the user's other sessions end immediately.",
    access: 'session',
    rateLimit: 'sign_in',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          current_password: Type.String({ maxLength: 1000, description: 'The current password.' }),
          new_password: Password,
        }),
      ),
      example: { current_password: 'h7Jq2Lx0Tn5Wc9Rb', new_password: 'a longer password of your choice' },
    },
    responses: { 200: { description: 'The signed-in user.', schema: User, example: exampleUser } },
    errors: ['invalid_credentials'],
  }),
};
