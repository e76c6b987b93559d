import { type EventType, events } from '@aisle/contract/events';

const types = Object.keys(events) as EventType[];

/** The event types that a caller with these scopes can see. Null means all types. */
export function visibleTypes(scopes: readonly string[]): EventType[] | null {
  const visible = types.filter((type) => scopes.includes(events[type].scope));
  return visible.length === types.length ? null : visible;
}
