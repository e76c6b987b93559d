import { failure, type Finding, ok, skipped, warning } from './finding.ts';

/** The backlog of the server, from its metrics. */
export async function checkMetrics(url: string, token: string | undefined): Promise<Finding[]> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/metrics`, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch(() => undefined);
  if (response?.status !== 200) {
    const remedy = 'Run aisle doctor on the server itself, with AISLE_METRICS_TOKEN if one is set.';
    return [skipped('queue', 'the metrics are not public', remedy)];
  }
  return readFindings(await response.text());
}

export function readFindings(text: string): Finding[] {
  const value = (name: string) => {
    const rows = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, 'gm'))];
    return rows.length === 0 ? undefined : Math.max(...rows.map(([, number]) => Number(number)));
  };
  const findings: Finding[] = [];
  const check = (area: string, number: number | undefined, max: number, message: string, remedy: string) => {
    if (number !== undefined && number > max) findings.push(warning(area, message, remedy));
  };
  const oldest = value('aisle_queue_oldest_due_seconds');
  const late = value('aisle_delivery_oldest_due_seconds');
  const lag = value('nodejs_eventloop_lag_p99_seconds');
  check('queue', oldest, 60, `a task has been waiting for ${Math.round(oldest ?? 0)} s`, 'Start more workers.');
  check('deliveries', late, 60, `a delivery has been due for ${Math.round(late ?? 0)} s`, 'Start more workers.');
  check('server', lag, 0.5, 'the event loop was blocked for more than 500 ms', 'Start more API processes.');
  const dead = value('aisle_queue_dead_tasks') ?? 0;
  if (dead > 0) {
    const remedy = 'Look for task.failed in the log of the worker.';
    findings.push(failure('queue', `${dead} background tasks failed every attempt`, remedy));
  }
  return findings.length > 0 ? findings : [ok('queue', 'no backlog of tasks, events or deliveries')];
}
