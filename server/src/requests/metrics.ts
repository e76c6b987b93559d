import { Counter, type Registry } from 'prom-client';

export type RecorderMetrics = { recorded(count: number): void; dropped(count: number): void };

export function createRecorderMetrics(registry: Registry): RecorderMetrics {
  const counter = (name: string, help: string) => new Counter({ registers: [registry], name, help });
  const recorded = counter('aisle_request_log_recorded_total', 'Requests written to the request log.');
  const dropped = counter('aisle_request_log_dropped_total', 'Requests dropped by the request log.');
  return { recorded: (count) => recorded.inc(count), dropped: (count) => dropped.inc(count) };
}
