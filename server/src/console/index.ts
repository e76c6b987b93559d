import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Lookups } from '../identity/index.ts';
import { consoleChores } from './chores.ts';
import { consoleHandlers } from './handlers.ts';

/** What the operator sees and does across all chains. The console's users are part of `identity`. */
export function consoleFeature(config: Config, lookups: Lookups): Feature<ReturnType<typeof consoleHandlers>> {
  return {
    handlers: consoleHandlers(config, lookups),
    tasks: {},
    chores: consoleChores(config),
    close: async () => {},
  };
}
