import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldEvents } from './queries.ts';

export function eventChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'delete old events',
      everySeconds: 600,
      run: async (tx) => `${await deleteOldEvents(tx, limits.eventDays)} events`,
    },
  ];
}
