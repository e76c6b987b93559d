import type { TSchema } from 'typebox';
import * as alerts from '../alerts.ts';
import * as approval from '../approval.ts';
import * as catalog from '../catalog.ts';
import * as chainCatalog from '../chain-catalog.ts';
import * as common from '../common.ts';
import * as credentials from '../credentials.ts';
import * as deliveries from '../deliveries.ts';
import * as events from '../events.ts';
import * as feed from '../feed.ts';
import * as identity from '../identity.ts';
import * as jobs from '../jobs.ts';
import * as limits from '../limits.ts';
import * as order from '../order.ts';
import * as orders from '../orders.ts';
import * as outlets from '../outlets.ts';
import * as pickingState from '../picking-state.ts';
import * as platformEvents from '../platform-events.ts';
import * as platformFeed from '../platform-feed.ts';
import * as platformOrders from '../platform-orders.ts';
import * as platformWebhooks from '../platform-webhooks.ts';
import * as platform from '../platform.ts';
import * as product from '../product.ts';
import * as promotion from '../promotion.ts';
import * as promotions from '../promotions.ts';
import * as putOrder from '../put-order.ts';
import * as requests from '../requests.ts';
import * as sandbox from '../sandbox.ts';
import * as statistics from '../statistics.ts';
import * as storeStatistics from '../store-statistics.ts';
import * as users from '../users.ts';
import * as webhooks from '../webhooks.ts';
import * as whoami from '../whoami.ts';

/** The objects, unions and enumerations that the contract exports, by their exported names. */
export function exportedSchemas(): Record<string, TSchema> {
  const exported = modules.flatMap((module) => Object.entries(module as Record<string, unknown>));
  return Object.fromEntries(exported.filter((entry): entry is [string, TSchema] => needsComponent(entry[1])));
}

const modules = [
  common,
  alerts,
  approval,
  order,
  jobs,
  limits,
  product,
  catalog,
  chainCatalog,
  credentials,
  deliveries,
  events,
  feed,
  identity,
  putOrder,
  orders,
  outlets,
  pickingState,
  platform,
  platformOrders,
  platformEvents,
  platformFeed,
  platformWebhooks,
  promotion,
  promotions,
  requests,
  sandbox,
  statistics,
  storeStatistics,
  users,
  webhooks,
  whoami,
];

function needsComponent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { type, properties, enum: words, anyOf } = value as Record<string, unknown>;
  if (type === 'object') return Object.keys((properties as object | undefined) ?? {}).length > 0;
  return anyOf !== undefined || (type === 'string' && words !== undefined);
}
