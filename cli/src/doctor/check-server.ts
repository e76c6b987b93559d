import { causeText } from '../report-error.ts';
import { plain } from '../terminal/text.ts';
import { version } from '../version.ts';
import { checkCertificate } from './check-certificate.ts';
import { failure, type Finding, ok, skipped, warning } from './finding.ts';

const timeoutMs = 10_000;

/** Whether the server responds, and what it says about itself. The other checks need a server that responds. */
export async function checkServer(
  url: string,
  now: () => Date,
  signal?: AbortSignal,
): Promise<{ isReachable: boolean; findings: Finding[] }> {
  const start = performance.now();
  let response: Response;
  try {
    response = await get(`${url}/health/live`, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // A certificate that is not trusted is the reason why there was no response.
    const certificate = await checkCertificate(url, now());
    if (certificate.some(({ status }) => status === 'error')) return { isReachable: false, findings: certificate };
    const remedy = 'Start the server, and check the address, the firewall and the proxy.';
    return {
      isReachable: false,
      findings: [failure('server', `${url} does not respond: ${causeText(error)}`, remedy)],
    };
  }
  const duration = Math.round(performance.now() - start);
  const findings = [
    ok('server', `${url} responds in ${duration} ms`),
    ...checkScheme(url),
    ...checkClock(response.headers.get('date'), now()),
    ...(await checkCertificate(url, now())),
    ...(await checkHealth(url, response, signal)),
    ...(await checkVersion(url, signal)),
  ];
  return { isReachable: true, findings };
}

function get(url: string, signal: AbortSignal | undefined): Promise<Response> {
  const deadline = AbortSignal.timeout(timeoutMs);
  return fetch(url, { redirect: 'manual', signal: signal ? AbortSignal.any([signal, deadline]) : deadline });
}

function checkScheme(url: string): Finding[] {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(hostname)) return [];
  const remedy = 'Put a TLS proxy in front of the server, and use its https address.';
  return [failure('certificate', 'the connection is not encrypted, so tokens can be read on the way', remedy)];
}

/** Receivers reject messages whose timestamp is more than five minutes off. */
export function checkClock(date: string | null, now: Date): Finding[] {
  if (date === null || Number.isNaN(Date.parse(date))) return [];
  const seconds = Math.round((Date.parse(date) - now.getTime()) / 1000);
  if (Math.abs(seconds) <= 5) return [ok('clock', 'the clocks of the server and of this computer agree')];
  const message = `the clock of the server is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this computer`;
  return [warning('clock', message, 'Synchronize both clocks with NTP; signatures are valid for five minutes.')];
}

const remedies: Record<string, string> = {
  database: 'Check that PostgreSQL runs, accepts writes and has free disk space and connections.',
  migrations: 'Run npm start -- migrate with the new version.',
  worker: 'Restart the worker, and look at its log.',
  deliveries: 'Look at the log of the worker, and at aisle_delivery_oldest_due_seconds in /metrics.',
  clock: 'Synchronize the clocks of the server and of PostgreSQL with NTP.',
};

async function checkHealth(url: string, live: Response, signal: AbortSignal | undefined): Promise<Finding[]> {
  if (live.status === 404 || live.status === 403) {
    return [skipped('health', 'the health checks are not public', 'Run aisle doctor on the server itself.')];
  }
  const response = await get(`${url}/health/ready`, signal);
  const { checks = {} } = (await response.json().catch(() => ({}))) as { checks?: Record<string, string> };
  if (Object.keys(checks).length === 0) {
    const remedy = 'Check that this is the address of an Aisle server.';
    return [failure('health', `/health/ready returned ${response.status} without checks`, remedy)];
  }
  return Object.entries(checks).map(([name, result]) =>
    result === 'ok'
      ? ok(plain(name), 'ok')
      : failure(plain(name), plain(result), remedies[name] ?? 'Look at the log of the server.'),
  );
}

async function checkVersion(url: string, signal: AbortSignal | undefined): Promise<Finding[]> {
  const response = await get(`${url}/openapi/partner.json`, signal);
  const document = (await response.json().catch(() => ({}))) as { info?: { version?: string } };
  const server = plain(document.info?.version ?? '');
  if (server === '') return [skipped('version', 'the server does not publish its version')];
  if (server === version) return [ok('version', `the server and this program have version ${version}`)];
  const message = `the server has version ${server}, this program ${version}`;
  return [warning('version', message, `Install @aisle/cli@${server}.`)];
}
