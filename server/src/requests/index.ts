import type { Cluster } from '../cluster/index.ts';
import type { Config } from '../config.ts';
import type { Feature } from '../feature.ts';
import type { Database } from '../kernel/database/db.ts';
import type { Log } from '../kernel/monitoring/log.ts';
import type { Metrics } from '../kernel/monitoring/metrics.ts';
import { requestChores } from './chores.ts';
import { requestHandlers } from './handlers.ts';
import { createRecorderMetrics } from './metrics.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export { findRequest, listOrderPuts, type OrderPut } from './queries.ts';

/** `cluster` is undefined if the database is not distributed. */
type RecorderParts = { db: Database; log: Log; metrics: Metrics; cluster: Cluster | undefined };

type RequestsFeature = Feature<ReturnType<typeof requestHandlers>> & {
  /** Undefined if the request log is off. */
  startRecorder(parts: RecorderParts): Recorder | undefined;
};

export function requestsFeature(config: Config): RequestsFeature {
  return {
    handlers: requestHandlers(),
    tasks: {},
    chores: requestChores(config),
    startRecorder({ db, log, metrics, cluster }) {
      const { enabled, perSecond } = config.requestLog;
      if (!enabled) return undefined;
      return createRecorder({ db, log, perSecond, cluster, metrics: createRecorderMetrics(metrics.registry) });
    },
    close: async () => {},
  };
}
