import type { FastifyInstance } from 'fastify';
import type { Cluster } from './cluster/index.ts';
import type { Config } from './config.ts';
import { type Background, healthChecks } from './health-checks.ts';
import type { Database } from './kernel/database/db.ts';
import type { Migration } from './kernel/database/migrate.ts';
import { runChecks, serveHealth } from './kernel/http/health.ts';
import { renderMetrics, serveMetrics } from './kernel/http/serve-metrics.ts';
import type { Metrics } from './kernel/monitoring/metrics.ts';
import { reuse } from './kernel/values/reuse.ts';
import type { Member } from './processes/index.ts';

type MonitoredParts = {
  config: Config;
  db: Database;
  migrations: Migration[];
  member?: Member;
  cluster: Cluster | undefined;
};

/** Serves `/health` and `/metrics`. With several processes, whichever gets the request responds for all of them. */
export function serveMonitoring(
  { http, metricsHttp }: { http: FastifyInstance; metricsHttp: FastifyInstance },
  parts: MonitoredParts,
  { registry }: Metrics,
  background: Background | undefined,
): void {
  const { member, config } = parts;
  const checks = healthChecks(parts, background);
  // The requests are not limited, and the checks read from the database, so that a flood would take its connections.
  const check = reuse(reuseMs, () => runChecks(checks));
  member?.report({ metrics: () => registry.getMetricsAsJSON(), health: check });
  serveHealth(http, member?.summarizeHealth ?? check);
  serveMetrics(metricsHttp, member?.summarizeMetrics ?? renderMetrics(registry), config.metrics.token);
}

const reuseMs = 1000;
