import Type from 'typebox';
import { ConsoleSession, exampleConsoleSession, examplePlatformUser, PlatformUser } from './console-user.ts';
import { invitationRoutes } from './invitations.ts';
import { route } from './route.ts';
import { secondFactorRoutes } from './second-factor.ts';
import { userRoutes } from './users.ts';

/**
 * The account routes of the console are those of the portal under other paths, with another cookie. Only what differs is
 * declared here.
 */
const own = { api: 'platform', tag: 'Console session', access: 'console' } as const;
const open = { api: 'platform', tag: 'Console session' } as const;
const path = '/platform/v1/session';

const { signIn, getSession, signOut, changePassword } = userRoutes;
const { readInvitation, acceptInvitation } = invitationRoutes;
const factor = secondFactorRoutes;

const session = { schema: ConsoleSession, example: exampleConsoleSession };

export const consoleAccountRoutes = {
  consoleSignIn: route({
    ...signIn,
    ...open,
    path,
    summary: 'Sign in to the console',
    description:
      'Sets the session cookie of the console. Attempts are limited and delayed as in the portal. If the user has a second factor, a request without `code` returns 401 `second_factor_required`; send it again with a code.',
    body: {
      required: true,
      schema: Type.Object({
        email: Type.String({ maxLength: 254, description: 'The email address of the user.' }),
        password: Type.String({ maxLength: 1000, description: 'The password of the user.' }),
        code: Type.Optional(signIn.body.schema.properties.code),
      }),
      example: { email: 'operator@aisle.example', password: 'h7Jq2Lx0Tn5Wc9Rb' },
    },
    responses: { 201: { ...signIn.responses[201], ...session } },
    errors: ['invalid_credentials', 'second_factor_required', 'invalid_code', 'forbidden', 'secret_key_missing'],
  }),

  consoleGetSession: route({
    ...getSession,
    ...own,
    path,
    responses: { 200: { ...getSession.responses[200], description: 'The signed-in user.', ...session } },
  }),

  consoleSignOut: route({
    ...signOut,
    ...own,
    path,
    responses: { 200: { ...signOut.responses[200], ...session } },
  }),

  consoleChangePassword: route({
    ...changePassword,
    ...own,
    path: '/platform/v1/session/password',
    responses: { 200: { description: 'The signed-in user.', schema: PlatformUser, example: examplePlatformUser } },
  }),

  consoleReadInvitation: route({
    ...readInvitation,
    ...open,
    path: '/platform/v1/invitation/read',
    responses: {
      200: {
        ...readInvitation.responses[200],
        example: { ...readInvitation.responses[200].example, email: 'operator@aisle.example', chain_name: 'Console' },
      },
    },
  }),

  consoleAcceptInvitation: route({
    ...acceptInvitation,
    ...open,
    path: '/platform/v1/invitation',
    responses: { 201: { ...acceptInvitation.responses[201], ...session } },
  }),

  consoleGetSecondFactor: route({ ...factor.getSecondFactor, ...own, path: '/platform/v1/second-factor' }),
  consoleStartSecondFactor: route({ ...factor.startSecondFactor, ...own, path: '/platform/v1/second-factor' }),
  consoleConfirmSecondFactor: route({
    ...factor.confirmSecondFactor,
    ...own,
    path: '/platform/v1/second-factor/confirm',
  }),
  consoleDisableSecondFactor: route({
    ...factor.disableSecondFactor,
    ...own,
    path: '/platform/v1/second-factor/disable',
    description:
      'Requires the password, and a code or recovery code. All of your other sessions end immediately. If you have neither kind of code, another admin can reset the second factor.',
  }),
};
