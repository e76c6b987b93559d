import Type from 'typebox';
import { Closed, described, Nullable, Timestamp } from './common.ts';
import { route } from './route.ts';
import { Code, exampleUser, User } from './user.ts';

export const SecondFactor = Type.Object({
  is_enabled: Type.Boolean({ description: 'Whether signing in requires a code in addition to the password.' }),
  enabled_at: Nullable(described(Timestamp, 'When the second factor was turned on. Null if it is off.')),
  is_required: Type.Boolean({
    description:
      'Whether the chain requires the second factor for your role (`require_second_factor_for_owners` in the settings).',
  }),
  recovery_codes_left: Type.Integer({ description: 'The number of recovery codes that have not been used.' }),
});

const RecoveryCodes = Type.Array(Type.String({ description: 'A recovery code.' }), {
  description:
    'Ten codes for signing in without the authenticator app, shown only once. Each can be used once. Earlier recovery codes stop working.',
});

const NewSecondFactor = Type.Object({
  secret: Type.String({ description: 'The secret in base32, to be typed into an authenticator app.' }),
  url: Type.String({ description: 'The same secret as an `otpauth` URL, to be shown as a QR code.' }),
});

const EnabledSecondFactor = Type.Object({ ...SecondFactor.properties, recovery_codes: RecoveryCodes });

const CurrentPassword = Type.String({ maxLength: 1000, description: 'Your current password.' });
const AppCode = Type.String({ maxLength: 20, description: 'The six-digit code that the authenticator app shows.' });

const exampleOff = { is_enabled: false, enabled_at: null, is_required: false, recovery_codes_left: 0 };
const exampleOn = {
  is_enabled: true,
  enabled_at: '2026-05-04T09:30:00.000Z',
  is_required: false,
  recovery_codes_left: 10,
};
const exampleEnabled = { ...exampleOn, recovery_codes: ['k7m2xq-4hbt2w-zr5ndp-q3ycvf', 'w2u6ae-jx7mlo-3tgs5k-bn4rhd'] };
const exampleProof = { password: 'h7Jq2Lx0Tn5Wc9Rb', code: '492039' };

const own = {
  api: 'partner',
  tag: 'Portal session',
  path: '/v2/portal/second-factor',
  access: 'session',
} as const;

export const secondFactorRoutes = {
  getSecondFactor: route({
    ...own,
    method: 'GET',
    summary: 'Get the status of your second factor',
    rateLimit: 'read',
    responses: { 200: { description: 'The second factor.', schema: SecondFactor, example: exampleOff } },
    errors: [],
  }),

  startSecondFactor: route({
    ...own,
    method: 'POST',
    summary: 'Start setting up a second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). The second factor stays off until you confirm it with a code. Starting over replaces an unconfirmed secret.',
    rateLimit: 'sign_in',
    body: {
      required: true,
      schema: Closed(Type.Object({ password: CurrentPassword })),
      example: { password: exampleProof.password },
    },
    responses: {
      201: {
        description: 'The secret, which is shown only once.',
        schema: NewSecondFactor,
        example: {
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          url: 'otpauth://totp/Aisle%20Palm%20Grocer:owner%40palm-grocer.example?issuer=Aisle%20Palm%20Grocer&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
        },
        headers: ['cache-control'],
      },
    },
    errors: ['invalid_credentials', 'second_factor_enabled', 'secret_key_missing'],
  }),

  confirmSecondFactor: route({
    ...own,
    method: 'POST',
    path: '/v2/portal/second-factor/confirm',
    summary: 'Confirm a code to turn on your second factor',
    description: 'After this, signing in requires a code. All of your other sessions end immediately.',
    rateLimit: 'sign_in',
    body: { required: true, schema: Closed(Type.Object({ code: AppCode })), example: { code: exampleProof.code } },
    responses: {
      200: {
        description: 'The second factor, with recovery codes that are shown only once.',
        schema: EnabledSecondFactor,
        example: exampleEnabled,
        headers: ['cache-control'],
      },
    },
    errors: ['invalid_code', 'second_factor_enabled', 'second_factor_disabled', 'secret_key_missing'],
  }),

  replaceRecoveryCodes: route({
    ...own,
    method: 'POST',
    path: '/v2/portal/second-factor/recovery-codes',
    summary: 'Replace your recovery codes',
    rateLimit: 'sign_in',
    body: {
      required: true,
      schema: Closed(Type.Object({ password: CurrentPassword, code: Code })),
      example: exampleProof,
    },
    responses: {
      200: {
        description: 'The second factor, with new recovery codes that are shown only once.',
        schema: EnabledSecondFactor,
        example: exampleEnabled,
        headers: ['cache-control'],
      },
    },
    errors: ['invalid_credentials', 'invalid_code', 'second_factor_disabled', 'secret_key_missing'],
  }),

  disableSecondFactor: route({
    ...own,
    method: 'POST',
    path: '/v2/portal/second-factor/disable',
    summary: 'Turn off your second factor',
    description:
      'Requires the password, and a code or recovery code. All of your other sessions end immediately. If you have neither kind of code, an owner of the chain or the operator can reset the second factor.',
    rateLimit: 'sign_in',
    body: {
      required: true,
      schema: Closed(Type.Object({ password: CurrentPassword, code: Code })),
      example: exampleProof,
    },
    responses: { 200: { description: 'The second factor.', schema: SecondFactor, example: exampleOff } },
    errors: ['invalid_credentials', 'invalid_code', 'second_factor_disabled', 'secret_key_missing'],
  }),

  resetSecondFactor: route({
    api: 'partner',
    tag: 'Portal users',
    access: 'users:manage',
    method: 'DELETE',
    path: '/v2/chains/{chain_id}/users/{user_id}/second-factor',
    summary: "Turn off a portal user's second factor",
    description:
      "For a user who has lost the device and the recovery codes. All of the user's sessions end immediately. Verify who is asking before you do this. Owners cannot reset their own second factor this way, but can turn it off with a code.",
    rateLimit: 'manage_write',
    responses: { 200: { description: 'The user.', schema: User, example: exampleUser } },
    errors: ['user_not_found'],
  }),
};
