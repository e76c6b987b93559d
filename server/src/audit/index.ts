import type { Feature } from '../feature.ts';
import { auditHandlers } from './handlers.ts';

export { recordAction, recordCommand } from './record.ts';
export { isRecorded } from './rules/entry.ts';

export function auditFeature(): Feature<ReturnType<typeof auditHandlers>> {
  return { handlers: auditHandlers(), tasks: {}, chores: [], close: async () => {} };
}
