import Type from 'typebox';
import { Closed, Page, pageQuery } from './common.ts';
import {
  exampleConsoleInvitation,
  examplePlatformUser,
  NewPlatformUser,
  PlatformRole,
  PlatformUser,
} from './console-user.ts';
import { Name } from './identity.ts';
import { route } from './route.ts';
import { Email } from './user.ts';

const users = {
  api: 'platform',
  tag: 'Console users',
  access: 'platform',
  platformRole: 'ADMIN',
  rateLimit: 'platform',
} as const;
const one = { schema: PlatformUser, example: examplePlatformUser };
const invited = {
  description: 'The user with the invitation link, which is shown only once.',
  schema: NewPlatformUser,
  example: { ...examplePlatformUser, invitation: exampleConsoleInvitation },
};

export const consoleUserRoutes = {
  platformListConsoleUsers: route({
    ...users,
    method: 'GET',
    path: '/platform/v1/users',
    summary: "List the console's users",
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of users, sorted by email.',
        schema: Page('users', PlatformUser),
        example: { users: [examplePlatformUser], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: [],
  }),

  platformCreateConsoleUser: route({
    ...users,
    method: 'POST',
    path: '/platform/v1/users',
    summary: 'Invite a user to the console',
    description: 'The user sets a password with the link, which works once, for 7 days.',
    body: {
      required: true,
      schema: Closed(Type.Object({ email: Email, name: Name, role: PlatformRole })),
      example: { email: 'support@aisle.example', name: 'Support', role: 'SUPPORT' },
    },
    responses: { 201: invited },
    errors: ['email_taken'],
  }),

  platformUpdateConsoleUser: route({
    ...users,
    method: 'PATCH',
    path: '/platform/v1/users/{user_id}',
    summary: "Update a console user's name or role",
    body: {
      required: true,
      schema: Closed(Type.Partial(Type.Object({ name: Name, role: PlatformRole }))),
      example: { role: 'SUPPORT' },
    },
    responses: { 200: { description: 'The updated user.', ...one } },
    errors: ['user_not_found', 'last_owner'],
  }),

  platformDeleteConsoleUser: route({
    ...users,
    method: 'DELETE',
    path: '/platform/v1/users/{user_id}',
    summary: 'Delete a console user and end their sessions',
    responses: { 200: { description: 'The deleted user.', ...one } },
    errors: ['user_not_found', 'last_owner'],
  }),

  platformInviteConsoleUser: route({
    ...users,
    method: 'POST',
    path: '/platform/v1/users/{user_id}/invitation',
    summary: 'Create a new invitation link for a console user',
    description:
      'For a user who has not accepted the invitation, or forgot the password. Earlier links stop working; the current password works until the user has set a new one.',
    responses: { 201: invited },
    errors: ['user_not_found'],
  }),

  platformResetConsoleSecondFactor: route({
    ...users,
    method: 'DELETE',
    path: '/platform/v1/users/{user_id}/second-factor',
    summary: "Turn off a console user's second factor",
    description:
      "For a user who has lost the device and the recovery codes. All of the user's sessions end immediately. Verify who is asking before you do this. Users cannot reset their own second factor this way, but can turn it off with a code.",
    responses: { 200: { description: 'The user.', ...one } },
    errors: ['user_not_found'],
  }),
};
