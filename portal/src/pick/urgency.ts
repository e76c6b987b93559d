import { lateAfterMinutes } from '@aisle/contract/sizes';
import type { QueuedOrder } from './types.ts';

/** How urgent an order is. Pure. */
export type Urgency = { level: 'calm' | 'amber' | 'red'; kind: 'dueIn' | 'late' | 'waiting'; minutes: number };

/** Before the promised time, or after the order was placed if no time was promised. */
const amberMinutes = 10;

export function urgencyOf(order: Pick<QueuedOrder, 'created_at' | 'promised_for'>, now: number): Urgency {
  if (order.promised_for === null) {
    const minutes = Math.max(0, Math.floor((now - Date.parse(order.created_at)) / 60_000));
    const level = minutes >= lateAfterMinutes ? 'red' : minutes >= amberMinutes ? 'amber' : 'calm';
    return { level, kind: 'waiting', minutes };
  }
  const left = (Date.parse(order.promised_for) - now) / 60_000;
  if (left < 0) return { level: 'red', kind: 'late', minutes: Math.ceil(-left) };
  return { level: left < amberMinutes ? 'amber' : 'calm', kind: 'dueIn', minutes: Math.floor(left) };
}
