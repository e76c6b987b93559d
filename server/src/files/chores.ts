import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteExpiredUnfinished } from './queries.ts';

export function fileChores({ limits }: Config): Chore[] {
  return [
    {
      name: 'delete expired unfinished files',
      everySeconds: 600,
      async run(tx) {
        return `${await deleteExpiredUnfinished(tx, limits.unfinishedHours)} files`;
      },
    },
  ];
}
