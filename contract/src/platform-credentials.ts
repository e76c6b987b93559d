import Type from 'typebox';
import { pageQuery } from './common.ts';
import {
  ApiTokenInput,
  ClientInput,
  exampleClientInput,
  exampleNewClient,
  exampleNewToken,
  exampleTokenInput,
  NewApiToken,
  NewClient,
} from './credentials.ts';
import { route } from './route.ts';
import { exampleNewUser, exampleUser, exampleUserInput, NewUser, User, UserInput, userPage } from './user.ts';

const credentials = { api: 'platform', tag: 'Credentials', access: 'platform', rateLimit: 'platform' } as const;

/** The first credentials of a new chain. */
export const platformCredentialRoutes = {
  platformCreateToken: route({
    ...credentials,
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/tokens',
    summary: 'Create an API token for a chain',
    body: { required: true, schema: ApiTokenInput, example: exampleTokenInput },
    responses: {
      201: { description: 'The new token, shown only once.', schema: NewApiToken, example: exampleNewToken },
    },
    errors: ['token_limit_reached', 'vendor_not_found'],
  }),

  platformCreateClient: route({
    ...credentials,
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/clients',
    summary: 'Create client credentials for a chain',
    body: { required: true, schema: ClientInput, example: exampleClientInput },
    responses: {
      201: { description: 'The client and its secret, shown only once.', schema: NewClient, example: exampleNewClient },
    },
    errors: ['client_limit_reached'],
  }),

  platformCreateUser: route({
    ...credentials,
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/users',
    summary: 'Create a portal user for a chain',
    body: { required: true, schema: UserInput, example: exampleUserInput },
    responses: {
      201: {
        description: 'The new user, with the password if it was generated.',
        schema: NewUser,
        example: exampleNewUser,
      },
    },
    errors: ['email_taken'],
  }),

  platformListUsers: route({
    ...credentials,
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}/users',
    summary: "List a chain's portal users",
    query: Type.Object({ ...pageQuery }),
    responses: { 200: userPage },
    errors: [],
  }),

  platformResetSecondFactor: route({
    ...credentials,
    method: 'DELETE',
    path: '/platform/v1/chains/{chain_id}/users/{user_id}/second-factor',
    summary: "Turn off a portal user's second factor",
    description:
      "For a chain whose owners have all lost their devices and recovery codes. All of the user's sessions end immediately. Verify who is asking before you do this.",
    responses: { 200: { description: 'The user.', schema: User, example: exampleUser } },
    errors: ['user_not_found'],
  }),
};
