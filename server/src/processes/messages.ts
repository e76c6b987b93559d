import type { Socket } from 'node:net';
import type { Registry } from 'prom-client';
import type { CheckResult } from '../kernel/http/health.ts';

/** The ports that the supervisor listens on for its processes. */
export const listenerNames = ['http', 'metrics', 'sftp'] as const;
export type ListenerName = (typeof listenerNames)[number];

/** What every process can be asked for. */
export type Reports = { metrics: MetricsReport; health: CheckResult[] };
export type Topic = keyof Reports;

/** The metrics of one registry, as prom-client describes them. */
export type MetricsReport = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the supervisor sends. A connection comes with its socket. */
export type ToProcess =
  | { type: 'start'; number: number; values: unknown }
  | { type: 'connection'; listener: ListenerName }
  | { type: 'report'; id: number; topic: Topic }
  | { type: 'summary'; id: number; value: unknown }
  | { type: 'counted'; network: string; count: number }
  | { type: 'stop' };

/** What a process sends. */
export type ToSupervisor =
  /** It can serve requests. `values` is for the program that started the supervisor. */
  | { type: 'ready'; values: unknown }
  /** A result that the program that started the supervisor waits for. */
  | { type: 'done'; values: unknown }
  /** It cannot start, because of an error that the operator can fix. */
  | { type: 'failed'; message: string }
  /** It has received the next connection that was sent to it. */
  | { type: 'accepted' }
  /** It wants to stop, and gets no more connections. */
  | { type: 'leave' }
  /** It needs a summary of the reports of all processes. */
  | { type: 'summarize'; id: number; topic: Topic }
  | Report
  /** A network has sent this many requests without valid credentials; the other processes count them too. */
  | { type: 'counted'; network: string; count: number };

export type Report = { [T in Topic]: { type: 'report'; id: number; topic: T; value: Reports[T] } }[Topic];

export type SendToProcess = (message: ToProcess, socket?: Socket) => void;
