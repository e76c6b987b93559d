import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import { statisticsHandlers } from './handlers.ts';
import { storeStatisticsHandlers } from './store-handlers.ts';

type StatisticsHandlers = ReturnType<typeof statisticsHandlers> & ReturnType<typeof storeStatisticsHandlers>;

export function statisticsFeature(config: Config): Feature<StatisticsHandlers> {
  return {
    handlers: { ...statisticsHandlers(config), ...storeStatisticsHandlers(config) },
    tasks: {},
    chores: [],
    close: async () => {},
  };
}
