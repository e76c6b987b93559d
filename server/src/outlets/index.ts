import type { Feature } from '../feature.ts';
import { outletHandlers } from './handlers.ts';

export { getStatus } from './read-status.ts';
export { rejectClosed } from './reject-closed.ts';
export { announceReopened } from './reopen-stores.ts';

export function outletsFeature(): Feature<ReturnType<typeof outletHandlers>> {
  return { handlers: outletHandlers(), tasks: {}, chores: [], close: async () => {} };
}
