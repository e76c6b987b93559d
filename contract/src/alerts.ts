import Type from 'typebox';
import { described, Id, Nullable, OneOf, Timestamp } from './common.ts';

/** Each kind of alert with its events: when it starts, and when it ends. */
export const alertEvents = {
  STORE_SILENT: ['store.silent', 'store.recovered'],
  ENDPOINT_FAILING: ['endpoint.failing', 'endpoint.recovered'],
  DELIVERIES_DELAYED: ['deliveries.delayed', 'deliveries.recovered'],
  TASKS_DELAYED: ['tasks.delayed', 'tasks.recovered'],
} as const;

export type AlertKind = keyof typeof alertEvents;
export const alertKinds = Object.keys(alertEvents) as AlertKind[];

export const Alert = Type.Object({
  alert_id: described(Id, 'The id of the alert; the same when it starts and when it ends.'),
  kind: OneOf(alertKinds, {
    description:
      '`STORE_SILENT`: an open store leaves orders waiting, and none of its devices and clients has sent a request. `ENDPOINT_FAILING`: all attempts to a webhook endpoint fail, or it was turned off because of that. `DELIVERIES_DELAYED`: deliveries to working endpoints are not sent in time. `TASKS_DELAYED`: background tasks are not run in time.',
  }),
  chain_id: Nullable(described(Id, 'The chain that the alert concerns. Null if it concerns the platform.')),
  vendor_id: Nullable(Type.String({ description: 'The store that the alert concerns. Null if it concerns no store.' })),
  webhook_id: Nullable(described(Id, 'The webhook whose endpoint fails. Null for other alerts.')),
  url: Nullable(Type.String({ description: 'The URL that fails, without its query. Null for other alerts.' })),
  since: described(
    Timestamp,
    'Since when it has been so: when the store was last seen, or its oldest order began to wait; when the endpoint failed first; when the oldest delivery or task became due.',
  ),
  waiting: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'How many orders, deliveries or tasks were waiting when the alert started. Null for an endpoint.',
    }),
  ),
  started_at: described(Timestamp, 'When the alert started.'),
  ended_at: Nullable(described(Timestamp, 'When the alert ended. Null while it is open.')),
});

export const ListedAlert = Type.Object({
  ...Alert.properties,
  chain_name: Type.String({ description: 'The name of the chain. Empty if the alert concerns the platform.' }),
  vendor_name: Nullable(Type.String({ description: 'The name of the store. Null if the alert concerns no store.' })),
});

export const exampleAlert = {
  alert_id: '0197e4f2-4b60-7d7c-8a52-1de6cf0c2f10',
  kind: 'STORE_SILENT',
  chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
  vendor_id: 's8ym',
  webhook_id: null,
  url: null,
  since: '2026-05-04T09:20:00.000Z',
  waiting: 3,
  started_at: '2026-05-04T09:30:00.000Z',
  ended_at: null,
};
