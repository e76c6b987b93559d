import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { statisticsHandlers } from './handlers.ts';

export function statisticsFeature(config: Config): Feature<ReturnType<typeof statisticsHandlers>> {
  return { handlers: statisticsHandlers(config), tasks: {}, chores: [], close: async () => {} };
}
