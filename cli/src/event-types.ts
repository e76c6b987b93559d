import type { EventType } from '@aisle/sdk';
import { UsageError } from './errors.ts';

/** Every event type of the API; a type that is missing here does not compile. */
const summaries: Record<EventType, string> = {
  'order.received': 'A customer placed an order',
  'order.ready_for_pickup': 'A fulfilled order waits for the rider',
  'order.dispatched': 'An order left the store',
  'order.delivered': 'The rider delivered an order',
  'order.cancelled': 'The customer or logistics cancelled an order',
  'order.edited': 'The comment or the promised time was changed',
  'order.replacement_decided': 'The customer decided about a replacement',
  'catalog.job_finished': 'A catalog update or product creation job finished',
  'catalog.export_finished': 'A catalog export job finished',
};

export const eventTypes = Object.keys(summaries) as EventType[];

export function summaryOf(type: EventType): string {
  return summaries[type];
}

/** Reads types separated by commas; `order.*` means all types that start with `order.`. */
export function parseEventTypes(text: string): EventType[] {
  const found = text.split(',').flatMap((part) => matching(part.trim()));
  return [...new Set(found)];
}

function matching(pattern: string): EventType[] {
  const isMatch = pattern.endsWith('*')
    ? (type: string) => type.startsWith(pattern.slice(0, -1))
    : (type: string) => type === pattern;
  const found = eventTypes.filter(isMatch);
  if (found.length > 0) return found;
  throw new UsageError(`${pattern || 'An empty text'} is not an event type.`, `Event types: ${eventTypes.join(', ')}`);
}
