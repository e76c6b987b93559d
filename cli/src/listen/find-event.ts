import { type EventType, type FeedEvent, isApiError } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';

/** Finds an event by its id: a delivery has the id of its event, and all events are in the feed. */
export async function findEvent(context: Context, eventId: string): Promise<FeedEvent> {
  const found = (await findDelivered(context, eventId)) ?? (await findInFeed(context, eventId));
  if (found) return found;
  throw new CliError(`There is no event with the id ${eventId}.`, {
    exitCode: exitCodes.notFound,
    hint: 'aisle listen --from oldest shows all events of the last 30 days.',
  });
}

async function findDelivered(context: Context, delivery_id: string): Promise<FeedEvent | undefined> {
  try {
    const delivery = await context.client().getDelivery({ params: { delivery_id } });
    const { type, body, vendor_id, created_at } = delivery;
    if (body === null || type === 'webhook.ping') return undefined;
    return {
      event_id: delivery_id,
      type: type satisfies EventType,
      body,
      vendor_id,
      created_at,
    } as unknown as FeedEvent;
  } catch (error) {
    // Without a webhook there are no deliveries, and a token can lack the scope for them.
    if (isApiError(error, 'delivery_not_found', 'forbidden', 'invalid_request')) return undefined;
    throw error;
  }
}

async function findInFeed(context: Context, eventId: string): Promise<FeedEvent | undefined> {
  const progress = context.progress('Searching the feed');
  let read = 0;
  try {
    for await (const event of context.client().listEvents.all({ query: { limit: 500 } })) {
      if (event.event_id === eventId) return event;
      if (++read % 500 === 0) progress.update(read, undefined);
    }
    return undefined;
  } finally {
    progress.end();
  }
}
