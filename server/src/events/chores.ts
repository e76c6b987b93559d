import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldEvents, deleteOldPlatformEvents } from './deletion-queries.ts';

/** Events about products are many, and a storefront that missed them reads the changes instead. */
export const productEventDays = 7;

export function eventChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'delete old events',
      everySeconds: 600,
      async run(tx) {
        const partner = await deleteOldEvents(tx, limits.eventDays);
        const platform = await deleteOldPlatformEvents(tx, limits.eventDays, productEventDays);
        return `${partner + platform} events`;
      },
    },
  ];
}
