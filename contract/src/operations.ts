import Type from 'typebox';
import { exampleAlert, ListedAlert } from './alerts.ts';
import { described, Id, Nullable, OneOf, Timestamp } from './common.ts';
import { deliveryRoutes } from './deliveries.ts';
import { closedReasons, outletStatuses } from './outlets.ts';
import { OrderStatus } from './order.ts';
import { route } from './route.ts';

/** What the operator sees about a chain's store, in every list. */
const place = {
  chain_id: described(Id, 'The id of the chain.'),
  chain_name: Type.String({ description: 'The name of the chain.' }),
};
const store = {
  ...place,
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  vendor_name: Type.String({ description: 'The name of the store.' }),
};
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const Overview = Type.Object({
  at: described(Timestamp, 'When the numbers were read.'),
  orders_per_minute: Type.Array(
    Type.Object({
      minute: described(Timestamp, 'The start of the minute.'),
      orders: count('The orders placed in this minute.'),
    }),
    { description: 'The orders placed in each of the last 60 minutes, oldest first.' },
  ),
  open_orders: Type.Array(Type.Object({ status: OrderStatus, orders: count('The number of orders.') }), {
    description: 'The orders of the last 24 hours that are not finished, by status.',
  }),
  late_orders: count('The open orders whose promised time has passed.'),
  closed_stores: Type.Array(
    Type.Object({
      reason: OneOf(closedReasons, { description: 'Why the stores are closed.' }),
      stores: count('The number of stores.'),
    }),
    { description: 'The stores that are closed now, by reason.' },
  ),
  failing_endpoints: count('The webhook endpoints that fail or are turned off.'),
  deliveries: Type.Object(
    {
      waiting: count('The deliveries that have not been sent, or are tried again.'),
      oldest_seconds: count('The age of the oldest one.'),
    },
    { description: 'The webhook deliveries of all chains.' },
  ),
  queue: Type.Object(
    {
      tasks: count('The tasks that wait or run.'),
      oldest_seconds: count('How long the oldest task that is due has been waiting.'),
    },
    { description: 'The background tasks.' },
  ),
  dead_tasks: count('The tasks that failed on every attempt.'),
  running_jobs: count('The catalog and promotion jobs that are not finished.'),
});

export const OpenOrder = Type.Object({
  order_id: described(Id, 'The id of the order.'),
  order_code: Type.String({ description: 'The code of the order.' }),
  ...store,
  status: OrderStatus,
  is_late: Type.Boolean({ description: 'Whether the promised time has passed.' }),
  promised_for: Nullable(described(Timestamp, 'The time promised to the customer. Null means as soon as possible.')),
  created_at: described(Timestamp, 'When the order was placed.'),
});

export const ClosedStore = Type.Object({
  ...store,
  status: OneOf(outletStatuses, { description: 'The status of the store.' }),
  closed_reason: OneOf(closedReasons, { description: 'Why the store is closed.' }),
  closed_until: Nullable(described(Timestamp, 'When the store opens again. Null if it is not known.')),
  closed_since: described(Timestamp, 'When the status was set.'),
});

export const FailingEndpoint = Type.Object({
  ...place,
  vendor_id: Nullable(Type.String({ description: 'The store that the webhook is for. Null for the whole chain.' })),
  topic: OneOf(['orders', 'catalog'], { description: 'What is sent to the endpoint.' }),
  url: Nullable(Type.String({ description: 'The URL of the endpoint, without its query.' })),
  failing_since: Nullable(described(Timestamp, 'When the first attempt failed. Null if the endpoint is only off.')),
  disabled_at: Nullable(described(Timestamp, 'When the endpoint was turned off. Null if it is on.')),
  disabled_reason: Nullable(
    OneOf(['GONE', 'FAILING', 'MANUAL'], { description: 'Why the endpoint was turned off. Null if it is on.' }),
  ),
});

export const DeadTask = Type.Object({
  task_id: Type.String({ description: 'The id of the task.' }),
  chain_id: Nullable(described(Id, 'The id of the chain. Null for a task of the platform.')),
  chain_name: Type.String({ description: 'The name of the chain.' }),
  kind: Type.String({ description: 'What the task does.' }),
  attempts: Type.Integer({ description: 'How often it was tried.' }),
  last_error: Type.String({ description: 'Why the last attempt failed.' }),
  died_at: described(Timestamp, 'When the last attempt failed.'),
  job_id: Nullable(described(Id, 'The job of the task, which has ended. Such a task can only be discarded.')),
});

export const RunningJob = Type.Object({
  job_id: described(Id, 'The id of the job.'),
  ...place,
  type: Type.String({ description: 'What the job does.' }),
  status: Type.String({ description: 'The status of the job.' }),
  total: Type.Integer({ description: 'The number of items.' }),
  processed: Type.Integer({ description: 'The items that have been processed.' }),
  apply_at: Nullable(described(Timestamp, 'When the job is applied. Null if it does not wait for a time.')),
  created_at: described(Timestamp, 'When the job was accepted.'),
});

const examplePlace = { chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11', chain_name: 'Palm Grocer' };
const exampleStore = { ...examplePlace, vendor_id: 's8ym', vendor_name: 'Marina Walk' };
const at = '2026-05-04T09:30:00.000Z';
const exampleTask = {
  task_id: '4711',
  ...examplePlace,
  kind: 'deliveries.resend',
  attempts: 8,
  last_error: 'connection reset',
  died_at: at,
  job_id: null,
};

const operations = { api: 'platform', tag: 'Operations', access: 'platform', rateLimit: 'platform' } as const;
const list = <const Noun extends string, Item extends Type.TSchema>(noun: Noun, item: Item, example: unknown) => ({
  200: {
    description: 'The list, at most 200.',
    schema: Type.Object({ [noun]: Type.Array(item, { description: 'The list.' }) } as {
      [N in Noun]: Type.TArray<Item>;
    }),
    example: { [noun]: [example] },
  },
});

export const operationsRoutes = {
  platformGetOverview: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/overview',
    summary: 'Get an overview of the platform',
    description:
      'Orders, stores, webhooks and background work of all chains, as they are now. Test orders are included.',
    responses: {
      200: {
        description: 'The overview.',
        schema: Overview,
        example: {
          at,
          orders_per_minute: [{ minute: at, orders: 12 }],
          open_orders: [{ status: 'RECEIVED', orders: 31 }],
          late_orders: 2,
          closed_stores: [{ reason: 'TECHNICAL_PROBLEM', stores: 1 }],
          failing_endpoints: 1,
          deliveries: { waiting: 4, oldest_seconds: 12 },
          queue: { tasks: 7, oldest_seconds: 0 },
          dead_tasks: 0,
          running_jobs: 3,
        },
      },
    },
    errors: [],
  }),

  platformListAlerts: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/alerts',
    summary: 'List alerts',
    description:
      'The open alerts, then those that ended in the last 24 hours, newest first. Each alert is also two events of the platform: when it starts and when it ends.',
    query: Type.Object({
      is_open: Type.Optional(Type.Boolean({ description: 'Only alerts that are open, or only those that ended.' })),
    }),
    responses: list('alerts', ListedAlert, {
      ...exampleAlert,
      chain_name: exampleStore.chain_name,
      vendor_name: exampleStore.vendor_name,
    }),
    errors: [],
  }),

  platformListOpenOrders: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/open-orders',
    summary: 'List open orders of all chains',
    description: 'The orders of the last 24 hours that are not finished, oldest first.',
    query: Type.Object({
      status: Type.Optional(described(OrderStatus, 'Only orders with this status.')),
      is_late: Type.Optional(Type.Boolean({ description: 'Only orders whose promised time has passed, or has not.' })),
      chain_id: Type.Optional(described(Id, 'Only orders of this chain.')),
      vendor_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'Only orders of the store with this platform id.' }),
      ),
    }),
    responses: list('orders', OpenOrder, {
      order_id: '5b0c8a52-7e55-4c0a-9d53-2c6f8c3c0a77',
      order_code: '4KEK-JE',
      ...exampleStore,
      status: 'RECEIVED',
      is_late: false,
      promised_for: null,
      created_at: at,
    }),
    errors: [],
  }),

  platformListClosedStores: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/closed-stores',
    summary: 'List closed stores of all chains',
    responses: list('stores', ClosedStore, {
      ...exampleStore,
      status: 'CLOSED_UNTIL',
      closed_reason: 'TECHNICAL_PROBLEM',
      closed_until: null,
      closed_since: at,
    }),
    errors: [],
  }),

  platformListFailingEndpoints: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/failing-endpoints',
    summary: 'List webhook endpoints that fail or are turned off',
    responses: list('endpoints', FailingEndpoint, {
      ...examplePlace,
      vendor_id: null,
      topic: 'orders',
      url: 'https://pos.palm-grocer.example/orders',
      failing_since: at,
      disabled_at: null,
      disabled_reason: null,
    }),
    errors: [],
  }),

  platformListRunningJobs: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/running-jobs',
    summary: 'List jobs that are not finished',
    responses: list('jobs', RunningJob, {
      job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01',
      ...examplePlace,
      type: 'CATALOG_UPDATE',
      status: 'IN_PROGRESS',
      total: 2000,
      processed: 500,
      apply_at: null,
      created_at: at,
    }),
    errors: [],
  }),

  platformListDeadTasks: route({
    ...operations,
    method: 'GET',
    path: '/platform/v1/dead-tasks',
    summary: 'List tasks that failed on every attempt',
    responses: list('tasks', DeadTask, exampleTask),
    errors: [],
  }),

  platformRetryDeadTask: route({
    ...operations,
    method: 'POST',
    path: '/platform/v1/dead-tasks/{task_id}/retry',
    summary: 'Retry a task that failed on every attempt',
    description: 'It gets all of its attempts again. A task of a job cannot be retried, because the job has ended.',
    platformRole: 'SUPPORT',
    responses: { 200: { description: 'The task, which is queued again.', schema: DeadTask, example: exampleTask } },
    errors: ['task_not_found', 'job_state_conflict'],
  }),

  platformDiscardDeadTask: route({
    ...operations,
    method: 'DELETE',
    path: '/platform/v1/dead-tasks/{task_id}',
    summary: 'Discard a task that failed on every attempt',
    description: 'What the task should have done is not done.',
    platformRole: 'SUPPORT',
    responses: { 200: { description: 'The discarded task.', schema: DeadTask, example: exampleTask } },
    errors: ['task_not_found'],
  }),

  platformResendPartnerDelivery: route({
    ...deliveryRoutes.resendDelivery,
    ...operations,
    tag: 'Support',
    path: '/platform/v1/chains/{chain_id}/partner-deliveries/{delivery_id}/resend',
    platformRole: 'SUPPORT',
  }),
};
