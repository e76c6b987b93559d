import assert from 'node:assert/strict';
import test from 'node:test';
import { events } from './events.ts';
import { routes } from './index.ts';
import { openapiDocument } from './openapi.ts';

test('the partner document has a schema for every event body', () => {
  const schemas: Record<string, unknown> = openapiDocument('partner', routes, '1.0.0').components.schemas;
  const names = Object.keys(schemas).filter((name) => name.endsWith('Event'));
  assert.equal(names.length, Object.keys(events).length);
  const cancelled = JSON.parse(JSON.stringify(schemas['OrderCancelledEvent']));
  assert.equal(cancelled.description, events['order.cancelled'].summary);
  assert.ok(cancelled.required.includes('post_pickup_flag'));
});
