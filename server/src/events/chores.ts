import type { Chore } from '../kernel/schedule.ts';
import { deleteOldEvents } from './queries.ts';

export const eventDays = 30;

export const eventChores: Chore[] = [
  {
    name: 'delete old events',
    everySeconds: 600,
    run: async (tx) => `${await deleteOldEvents(tx, eventDays)} events`,
  },
];
