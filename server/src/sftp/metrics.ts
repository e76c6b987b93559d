import { Counter, Gauge } from 'prom-client';
import type { Metrics } from '../kernel/monitoring/metrics.ts';

export type SftpMetrics = {
  countLogin(method: string, outcome: string): void;
  countRefusedConnection(reason: string): void;
  countRefusedRequest(): void;
  /** `outcome` is accepted, repeated or failed. */
  countFile(outcome: string): void;
  countBytes(direction: 'received' | 'sent', bytes: number): void;
};

export function createSftpMetrics({ registry }: Metrics, countSessions: () => number): SftpMetrics {
  const on = { registers: [registry] };
  new Gauge({
    ...on,
    name: 'aisle_sftp_sessions',
    help: 'SFTP users that are logged in.',
    collect() {
      this.set(countSessions());
    },
  });
  const logins = new Counter({
    ...on,
    name: 'aisle_sftp_logins_total',
    help: 'SFTP login attempts by method (password, publickey) and outcome (accepted, rejected, limited).',
    labelNames: ['method', 'outcome'],
  });
  const connections = new Counter({
    ...on,
    name: 'aisle_sftp_refused_connections_total',
    help: 'SFTP connections that exceeded a limit.',
    labelNames: ['reason'],
  });
  const requests = new Counter({ ...on, name: 'aisle_sftp_refused_requests_total', help: 'Refused SFTP requests.' });
  const files = new Counter({
    ...on,
    name: 'aisle_sftp_files_total',
    help: 'Files uploaded by SFTP, by outcome (accepted, repeated, failed).',
    labelNames: ['outcome'],
  });
  const bytes = new Counter({
    ...on,
    name: 'aisle_sftp_bytes_total',
    help: 'Content of files received and sent by SFTP, in bytes.',
    labelNames: ['direction'],
  });
  return {
    countLogin: (method, outcome) => logins.inc({ method, outcome }),
    countRefusedConnection: (reason) => connections.inc({ reason }),
    countRefusedRequest: () => requests.inc(),
    countFile: (outcome) => files.inc({ outcome }),
    countBytes: (direction, count) => bytes.inc({ direction }, count),
  };
}
