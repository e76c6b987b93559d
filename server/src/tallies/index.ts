import type { Feature } from '../feature.ts';
import { tallyChores } from './chores.ts';

export {
  recordTallies,
  sumTallies,
  sumTimes,
  type Tally,
  type DailyTally,
  type TallyScope,
  type TimeTaken,
} from './queries.ts';
export { mergeTallies } from './rules/merge-tallies.ts';
export { tallyChange } from './rules/tally.ts';

export function talliesFeature(): Feature<unknown> {
  return { handlers: {}, tasks: {}, chores: tallyChores, close: async () => {} };
}
