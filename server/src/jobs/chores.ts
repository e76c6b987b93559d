import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { deleteExpiredFiles, deleteOldJobs } from './queries.ts';

export function jobChores(config: Config): Chore[] {
  return [
    {
      name: 'delete expired job files and old jobs',
      everySeconds: 600,
      async run(tx) {
        const parts = await deleteExpiredFiles(tx);
        const jobs = await deleteOldJobs(tx, config.limits.jobDays);
        return `${parts} file parts, ${jobs} jobs`;
      },
    },
  ];
}
