import type { Chore } from '../kernel/background/schedule.ts';
import { deleteOldCertifications } from './queries.ts';

const keptDays = 365;

export const certificationChores: Chore[] = [
  {
    name: 'delete old certifications',
    everySeconds: 3600,
    run: async (tx) => `${await deleteOldCertifications(tx, keptDays)} deleted`,
  },
];
