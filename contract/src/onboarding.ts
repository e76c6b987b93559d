import Type from 'typebox';
import { Closed, Nullable, OneOf } from './common.ts';
import { credentialRoutes } from './credentials.ts';
import { platformRoutes } from './platform.ts';
import { itemsBytes, route } from './route.ts';

const create = platformRoutes.platformCreateVendor;

export const checklistSteps = ['stores', 'categories', 'users', 'credentials', 'webhook', 'products', 'order'] as const;

const Checklist = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: OneOf(checklistSteps, { description: 'The step.' }),
      is_done: Type.Boolean({ description: 'Whether it is done.' }),
      count: Type.Integer({
        description:
          'How many there are, such as stores. For products and orders, and for callers that are limited to some vendors, 1 means that there are some.',
      }),
    }),
    { description: 'The steps until the chain is live, in order.' },
  ),
});

const ImportedStore = Type.Object({
  index: Type.Integer({ description: 'The position in the request, from 0.' }),
  result: OneOf(['CREATED', 'EXISTS'], {
    description: 'EXISTS: the chain has a store with this external id (without one: with this name) already.',
  }),
  vendor_id: Nullable(Type.String({ description: 'The platform id of the new store. Null if it exists.' })),
});

const onboarding = { api: 'platform', access: 'platform', rateLimit: 'platform' } as const;

export const onboardingRoutes = {
  platformCreateVendors: route({
    ...onboarding,
    tag: 'Vendors',
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/vendors/batch',
    summary: 'Create up to 100 vendors',
    description:
      'For importing many stores. Stores whose external id exists in the chain are left as they are, so that an interrupted import can be repeated. A store without an external id is left as it is if the chain has a store with the same name.',
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: Closed(
        Type.Object({
          vendors: Type.Array(create.body.schema, {
            minItems: 1,
            maxItems: 100,
            description: 'The vendors to create.',
          }),
        }),
      ),
      example: { vendors: [create.body.example] },
    },
    responses: {
      200: {
        description: 'One result for each vendor in the request.',
        schema: Type.Object({ results: Type.Array(ImportedStore, { description: 'The results.' }) }),
        example: { results: [{ index: 0, result: 'CREATED', vendor_id: 's8ym' }] },
      },
    },
    errors: [],
  }),

  platformGetChecklist: route({
    ...onboarding,
    tag: 'Chains',
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}/checklist',
    summary: 'Get the steps until a chain is live',
    description: 'The console shows them to the operator, and the portal to the chain.',
    responses: {
      200: {
        description: 'The steps.',
        schema: Checklist,
        example: { steps: [{ step: 'stores', is_done: true, count: 200 }] },
      },
    },
    errors: [],
  }),

  getChecklist: route({
    api: 'partner',
    tag: 'Management',
    access: 'manage',
    rateLimit: 'read',
    method: 'GET',
    path: '/v2/chains/{chain_id}/checklist',
    summary: 'Get the steps until the chain is live',
    responses: {
      200: {
        description: 'The steps.',
        schema: Checklist,
        example: { steps: [{ step: 'stores', is_done: true, count: 200 }] },
      },
    },
    errors: [],
  }),

  platformListTokens: route({
    ...credentialRoutes.listTokens,
    ...onboarding,
    tag: 'Credentials',
    path: '/platform/v1/chains/{chain_id}/tokens',
    summary: "List a chain's API tokens",
  }),

  platformListClients: route({
    ...credentialRoutes.listClients,
    ...onboarding,
    tag: 'Credentials',
    path: '/platform/v1/chains/{chain_id}/clients',
    summary: "List a chain's clients",
  }),
};
