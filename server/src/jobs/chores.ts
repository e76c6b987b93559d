import type { Config } from '../config.ts';
import type { Chore } from '../kernel/background/schedule.ts';
import { measureChains } from './limit-storage.ts';
import { deleteExpiredFiles, deleteOldJobs } from './queries.ts';

/** More than 100,000 stores with a job every two hours need. They share this chore. */
const maxFiles = 10_000;

export function jobChores(config: Config): Chore[] {
  return [
    {
      name: 'delete expired job files and old jobs',
      everySeconds: 600,
      async run(tx) {
        const parts = await deleteExpiredFiles(tx, maxFiles);
        const jobs = await deleteOldJobs(tx, config.limits.jobDays);
        return `${parts} file parts, ${jobs} jobs`;
      },
    },
    {
      name: 'measure the job data of chains',
      everySeconds: 60,
      isByChain: true,
      run: (tx, scope) => measureChains(tx, scope, config.limits.jobBytes),
    },
  ];
}
