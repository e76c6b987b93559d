import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldAlerts } from './alert-queries.ts';
import { checkChains, checkPlatform } from './check-alerts.ts';

const everySeconds = 30;

export function consoleChores({ alerts, limits }: Config): Chore[] {
  return [
    {
      name: 'check chains for alerts',
      everySeconds,
      isByChain: true,
      run: (tx, scope) => checkChains(tx, scope, alerts),
    },
    { name: 'check the platform for alerts', everySeconds, run: (tx) => checkPlatform(tx, alerts) },
    {
      name: 'delete old alerts',
      everySeconds: 3600,
      run: async (tx) => `${await deleteOldAlerts(tx, limits.eventDays)} alerts`,
    },
  ];
}
