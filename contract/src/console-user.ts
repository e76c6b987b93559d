import Type from 'typebox';
import { described, OneOf, Timestamp } from './common.ts';
import { platformRoles } from './route.ts';
import { exampleUser, Invitation, User } from './user.ts';

export const PlatformRole = OneOf(platformRoles, {
  description:
    '`READ_ONLY` can see everything. `SUPPORT` can also resend deliveries, retry or discard tasks, and act on behalf of a chain. `ADMIN` can also onboard chains, and manage credentials and the users of the console.',
});

const { vendor_ids: _vendors, role: _role, ...fields } = User.properties;

export const PlatformUser = Type.Object({ ...fields, role: PlatformRole });

export const NewPlatformUser = Type.Object({ ...PlatformUser.properties, invitation: Invitation });

export const ConsoleSession = Type.Object({
  user: described(PlatformUser, 'The signed-in user.'),
  expires_at: described(Timestamp, 'When the session expires.'),
  must_change_password: Type.Boolean({
    description: 'Whether another person set the password of the user, who has to change it first.',
  }),
});

const { vendor_ids: _none, ...example } = exampleUser;

export const examplePlatformUser = { ...example, email: 'operator@aisle.example', name: 'Operator', role: 'ADMIN' };
export const exampleConsoleInvitation = {
  url: 'https://aisle.example/console/invitation#aisle_invite_h7Jq2Lx0Tn5Wc9Rbh7Jq2Lx0Tn5Wc9Rb0a1B2c',
  expires_at: '2026-05-11T09:30:00.000Z',
};
export const exampleConsoleSession = {
  user: examplePlatformUser,
  expires_at: '2026-05-04T21:30:00.000Z',
  must_change_password: false,
};
