import Type from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Page, Timestamp } from './common.ts';
import { AccessibleVendors } from './credentials.ts';
import { Name, Profile } from './identity.ts';
import { roles } from './route.ts';
import { valueFaults } from './value-faults.ts';

export const Role = OneOf(roles, {
  description:
    '`PICKER` can only see and pick orders. `VIEWER` has read-only access. `MANAGER` can also change the catalog, promotions, orders and the status of stores. `OWNER` can also manage users, credentials and settings.',
});
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  patternHint: valueFaults.email,
  description: 'The email address to sign in with.',
});
export const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'The password: at least 12 characters, and not easy to guess.',
});

export const Code = Type.String({
  maxLength: 100,
  description:
    'The six-digit code that the authenticator app shows, or a recovery code. Required if you have a second factor. Each code works only once.',
});

export const UserVendors = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 1000,
    description:
      'Limits the user to these vendors, given by platform id or external id. Null: all current and future vendors of the chain. A user who is limited to some vendors cannot manage users or the settings of the chain, whatever the role.',
  }),
);

export const User = Type.Object({
  user_id: described(Id, 'The id of the user.'),
  email: Type.String({ description: 'The email address to sign in with.' }),
  name: Type.String({ description: 'The name of the user.' }),
  role: Role,
  vendor_ids: AccessibleVendors,
  created_at: Timestamp,
  last_sign_in_at: Nullable(described(Timestamp, 'When the user last signed in. Null if never.')),
  has_second_factor: Type.Boolean({
    description: 'Whether the user has turned on a second factor, so that signing in also requires a code.',
  }),
  invitation_expires_at: Nullable(
    described(
      Timestamp,
      'When the invitation link of the user expires or expired. Null if there is no open invitation.',
    ),
  ),
});

export const Invitation = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      description: 'The link with which the user sets a password. It works once and is shown only once.',
    }),
    expires_at: described(Timestamp, 'When the link expires.'),
  },
  { description: 'The invitation of the user.' },
);

export const UserInput = Closed(
  Type.Object({
    email: Email,
    name: Name,
    role: Role,
    vendor_ids: Type.Optional(UserVendors),
    password: Type.Optional(
      Type.String({
        ...Password,
        description: 'The password. If omitted, one is generated and shown once, unless `invite` is true.',
      }),
    ),
    invite: Type.Optional(
      Type.Boolean({
        description:
          'If true, the user gets an invitation link instead of a password, and sets the password. Cannot be combined with `password`. Default: false.',
      }),
    ),
    must_change_password: Type.Optional(
      Type.Boolean({
        description:
          'Whether the user has to change the password after signing in, because you know it too. Default: true. Has no effect with `invite`.',
      }),
    ),
  }),
);

export const NewUser = Type.Object({
  ...User.properties,
  password: Type.Optional(
    Type.String({ description: 'The generated password, which is shown only once. Absent if you sent a password.' }),
  ),
  invitation: Type.Optional(Invitation),
});

export const Session = Type.Object({
  user: described(User, 'The signed-in user.'),
  chain: Type.Object(
    {
      chain_id: described(Id, 'The id of the chain.'),
      name: Type.String({ description: 'The name of the chain.' }),
      profile: Profile,
    },
    { description: 'The chain that the user belongs to.' },
  ),
  expires_at: described(Timestamp, 'When the session expires.'),
  must_set_up_second_factor: Type.Boolean({
    description:
      'Whether the chain requires a second factor and the user has not turned it on yet. Until then, the session gives access only to the routes under `/v2/portal`.',
  }),
  is_on_behalf: Type.Optional(
    Type.Boolean({
      description: "Whether the user is one of the operator's, who acts on behalf of the chain. Absent otherwise.",
    }),
  ),
  must_change_password: Type.Boolean({
    description:
      'Whether another person set the password of the user. Until the user has changed it, the session gives access only to the routes under `/v2/portal`.',
  }),
});

export const exampleUser = {
  user_id: '0d9f8f9e-3f50-4d5c-a3c2-6c6f0a9f5b21',
  email: 'owner@palm-grocer.example',
  name: 'Store owner',
  role: 'OWNER',
  vendor_ids: null,
  created_at: '2026-05-04T09:30:00.000Z',
  last_sign_in_at: null,
  has_second_factor: false,
  invitation_expires_at: null,
};
export const exampleInvitation = {
  url: 'https://aisle.example/portal/invitation#aisle_invite_h7Jq2Lx0Tn5Wc9Rbh7Jq2Lx0Tn5Wc9Rb0a1B2c',
  expires_at: '2026-05-11T09:30:00.000Z',
};
export const exampleUserInput = { email: 'picker@palm-grocer.example', name: 'Picking team', role: 'PICKER' };
export const exampleNewUser = { ...exampleUser, ...exampleUserInput, password: 'h7Jq2Lx0Tn5Wc9Rb' };
export const exampleSession = {
  user: exampleUser,
  chain: { chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11', name: 'Palm Grocer', profile: 'strict' },
  expires_at: '2026-05-04T21:30:00.000Z',
  must_set_up_second_factor: false,
  must_change_password: false,
};

export const userPage = {
  description: 'A page of users, sorted by email.',
  schema: Page('users', User),
  example: { users: [exampleUser], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
};
