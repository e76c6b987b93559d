import Type from 'typebox';
import { actualCodes, stepCodes } from './certification-codes.ts';
import { Closed, described, Id, Nullable, OneOf, Page, pageQuery, Timestamp, VendorFilter } from './common.ts';
import { route } from './route.ts';

export const certificationStatuses = ['RUNNING', 'PASSED', 'FAILED', 'STOPPED'] as const;
export const scenarioStatuses = ['RUNNING', 'PASSED', 'FAILED', 'SKIPPED'] as const;
export const stepStatuses = ['PENDING', 'RUNNING', 'PASSED', 'FAILED', 'SKIPPED'] as const;
export const scenarioNames = [
  'as_ordered',
  'weighed',
  'fewer_units',
  'not_found',
  'replaced',
  'added',
  'cancelled_by_store',
  'cancelled_by_customer',
  'duplicate_event',
  'late_event',
  'forged_then_retried',
  'replayed_then_retried',
  'concurrent_edit',
] as const;

const FailedRequest = Type.Object(
  {
    direction: OneOf(['TO_RECEIVER', 'FROM_DEVICE'], {
      description: 'TO_RECEIVER: a message to your webhook. FROM_DEVICE: a request that your device sent to the API.',
    }),
    delivery_id: Nullable(described(Id, 'The delivery of the message. Null for a request from the device.')),
    request_id: Nullable(
      Type.String({ description: 'The id of the request in the request log. Null for a message to your webhook.' }),
    ),
    sent_at: described(Timestamp, 'When the request was sent.'),
    method: Type.String({ description: 'The HTTP method.' }),
    url: Type.String({ description: 'The URL of your webhook without the query string, or the path of the API.' }),
    headers: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'The headers of the message; `authorization` is hidden. Null for a request from the device.',
      }),
    ),
    body: Nullable(
      Type.String({
        description:
          'The body. The body of a request from the device is known only if `record_bodies` is on in the chain settings.',
      }),
    ),
    response_status: Nullable(Type.Integer({ description: 'The HTTP status. Null if there was no response.' })),
    response_body: Nullable(
      Type.String({ description: 'The beginning of the response body. Null if it is not known.' }),
    ),
    error: Nullable(
      Type.String({
        description: 'The error that the API returned, or why there was no response. Null if there is none.',
      }),
    ),
  },
  { description: 'The request that caused the failure.' },
);

const Step = Type.Object({
  code: Nullable(
    OneOf(stepCodes, {
      description: 'A stable code for what happens in this step. Null if this version of Aisle does not know the step.',
    }),
  ),
  title: Type.String({ description: 'What happens in this step.' }),
  by: OneOf(['AISLE', 'INTEGRATION'], {
    description: 'AISLE: Aisle acts. INTEGRATION: your receiver or your device is expected to act.',
  }),
  status: OneOf(stepStatuses, {
    description: 'PENDING: not started. SKIPPED: an earlier step failed, or not possible.',
  }),
  expected: Nullable(Type.String({ description: 'What is expected. Null for a step of Aisle.' })),
  actual: Nullable(Type.String({ description: 'What happened. Null until the step has ended.' })),
  actual_code: Nullable(
    OneOf(actualCodes, {
      description:
        'A stable code for `actual`. Null until the step has ended, and if `actual` describes the order or an error.',
    }),
  ),
  actual_values: Type.Record(Type.String(), Type.String(), {
    description: 'The values in `actual`, such as the HTTP status. Empty if there are none.',
  }),
  rule: Nullable(Type.String({ description: 'What the documentation says. Null for a step of Aisle.' })),
  documentation: Nullable(
    Type.String({ description: 'Where the documentation explains it. Null for a step of Aisle.' }),
  ),
  started_at: Nullable(described(Timestamp, 'When the step started. Null if it has not.')),
  finished_at: Nullable(described(Timestamp, 'When the step ended. Null if it has not.')),
  request: Nullable(FailedRequest),
});

const Scenario = Type.Object({
  name: OneOf(scenarioNames, { description: 'The scenario. See the certification guide.' }),
  title: Type.String({ description: 'What the scenario tests.' }),
  status: OneOf(scenarioStatuses, {
    description: 'SKIPPED: not possible at this store, e.g. because no product is sold by weight.',
  }),
  order_id: Nullable(described(Id, 'The test order. Null if none was placed.')),
  comment: Nullable(
    Type.String({ description: 'The comment of the test order: the instructions for the whole order.' }),
  ),
  steps: Type.Array(Step, { description: 'The steps, in order.' }),
});

export const Certification = Type.Object({
  certification_id: described(Id, 'The id of the certification.'),
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  status: OneOf(certificationStatuses, {
    description: 'PASSED: no scenario failed. FAILED: at least one scenario failed. STOPPED: stopped before the end.',
  }),
  is_complete: Type.Boolean({ description: 'Whether all scenarios were run and none was skipped.' }),
  passed: Type.Integer({ description: 'How many scenarios have passed.' }),
  failed: Type.Integer({ description: 'How many scenarios have failed.' }),
  skipped: Type.Integer({ description: 'How many scenarios were skipped.' }),
  total: Type.Integer({ description: 'How many scenarios there are in this certification.' }),
  step_seconds: Type.Integer({ description: 'How long your receiver and device have for each step.' }),
  started_by: Type.String({ description: 'Who started the certification, such as `token:` and its id.' }),
  created_at: described(Timestamp, 'When the certification was started.'),
  finished_at: Nullable(described(Timestamp, 'When it ended. Null while it is running.')),
  report_url: Type.String({ description: "The report in the portal, for the chain's users." }),
});
export const CertificationReport = Type.Object({
  ...Certification.properties,
  scenarios: Type.Array(Scenario, { description: 'The scenarios, in a fixed order. They run at the same time.' }),
});

const exampleCertification = {
  certification_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b99',
  vendor_id: 's8ym',
  status: 'FAILED',
  is_complete: true,
  passed: 12,
  failed: 1,
  skipped: 0,
  total: 13,
  step_seconds: 30,
  started_by: 'token:0196a0c2-0000-7000-8000-000000000002',
  created_at: '2026-05-04T09:30:00.000Z',
  finished_at: '2026-05-04T09:30:14.000Z',
  report_url: 'https://aisle.example.com/portal/certification/0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b99',
};
const exampleReport = {
  ...exampleCertification,
  scenarios: [
    {
      name: 'weighed',
      title: 'An item sold by weight',
      status: 'FAILED',
      order_id: '3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11',
      comment: 'Certification: weighed',
      steps: [
        {
          code: 'fulfil',
          title: 'Your device fulfils the order as instructed',
          by: 'INTEGRATION',
          status: 'FAILED',
          expected: 'CHS-00001: IN_CART, 0.900 kg',
          actual: 'CHS-00001: IN_CART, 1.000 kg',
          actual_code: null,
          actual_values: {},
          rule: 'To fulfil an order, your picking device sends one PUT with every item.',
          documentation: 'https://aisle.example.com/docs/orders#picking-orders',
          started_at: '2026-05-04T09:30:01.000Z',
          finished_at: '2026-05-04T09:30:02.000Z',
          request: {
            direction: 'FROM_DEVICE',
            delivery_id: null,
            request_id: '0196a0c2-7b10-7c53-8d5a-2a6f7f7f4b11',
            sent_at: '2026-05-04T09:30:01.800Z',
            method: 'PUT',
            url: '/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/orders/3f1f9a2e-6a53-4f0e-9d51-0f6a2f1a7c11',
            headers: null,
            body: null,
            response_status: 200,
            response_body: null,
            error: null,
          },
        },
      ],
    },
  ],
};

const shared = {
  api: 'partner',
  tag: 'Certification',
  access: 'manage',
  andScopes: ['orders:read'],
} as const;
const one = '/v2/chains/{chain_id}/certifications/{certification_id}';

export const certificationRoutes = {
  startCertification: route({
    ...shared,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/certifications',
    role: 'MANAGER',
    rateLimit: 'manage_write',
    summary: 'Start a certification',
    description:
      'Sends a dozen scripted test orders to your webhook, waits for your device to fulfil them as instructed, and compares what is expected with what happens. Stock is not changed. The instructions are in the comment of each order and in the instructions of its items; see the certification guide. Orders that are still open at the end are cancelled.',
    body: {
      required: false,
      schema: Closed(
        Type.Object({
          step_seconds: Type.Optional(
            Type.Integer({
              minimum: 5,
              maximum: 3600,
              description: 'How long your receiver and device have for each step. Default: 30.',
            }),
          ),
          scenarios: Type.Optional(
            Type.Array(OneOf(scenarioNames), {
              minItems: 1,
              maxItems: scenarioNames.length,
              uniqueItems: true,
              description: 'Run only these scenarios, for example those that failed before. Default: all.',
            }),
          ),
        }),
      ),
      example: { step_seconds: 30 },
    },
    responses: {
      202: {
        description: 'The certification, which runs in the background. Read it until `status` is not RUNNING.',
        schema: Certification,
        example: {
          ...exampleCertification,
          status: 'RUNNING',
          is_complete: false,
          passed: 0,
          failed: 0,
          finished_at: null,
        },
      },
    },
    errors: ['test_order_unavailable', 'certification_running'],
  }),

  listCertifications: route({
    ...shared,
    method: 'GET',
    path: '/v2/chains/{chain_id}/certifications',
    rateLimit: 'read',
    summary: 'List certifications',
    description: 'Certifications are kept for one year.',
    query: Type.Object({ vendor_id: Type.Optional(VendorFilter), ...pageQuery }),
    responses: {
      200: {
        description: 'A page of certifications, newest first.',
        schema: Page('certifications', Certification),
        example: {
          certifications: [exampleCertification],
          page_number: 1,
          page_size: 20,
          total_pages: 1,
          total_items: 1,
        },
      },
    },
    errors: ['vendor_not_found'],
  }),

  getCertification: route({
    ...shared,
    method: 'GET',
    path: one,
    rateLimit: 'read',
    summary: 'Get the report of a certification',
    responses: {
      200: { description: 'The report, step by step.', schema: CertificationReport, example: exampleReport },
    },
    errors: ['certification_not_found'],
  }),

  stopCertification: route({
    ...shared,
    method: 'POST',
    path: `${one}/stop`,
    role: 'MANAGER',
    rateLimit: 'manage_write',
    summary: 'Stop a certification',
    description: 'Orders that are still open are cancelled. A certification that has ended is returned unchanged.',
    responses: {
      200: {
        description: 'The certification.',
        schema: Certification,
        example: { ...exampleCertification, status: 'STOPPED', is_complete: false, passed: 3, failed: 0 },
      },
    },
    errors: ['certification_not_found'],
  }),
};
