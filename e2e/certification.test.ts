import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scenarioNames } from '@aisle/contract/certification';
import type { AisleClient, GetCertificationResponse, StartCertificationRequest } from '@aisle/sdk';
import { changeVendor, makeShop } from '../server/test/support/orders.ts';
import { startTestAisle, type OwnAisle, type TestAisle } from '../server/test/support/aisle.ts';
import { waitFor } from '../server/test/support/wait.ts';
import { clientOf } from './support/client.ts';
import { launchProgram } from './support/program.ts';
import { type Fault, faults, startSampleReceiver } from './support/sample-receiver.ts';

/** The scenarios that find each fault. */
const finders: Record<Fault, ScenarioName[]> = {
  accepts_forged_messages: ['forged_then_retried'],
  accepts_old_messages: ['replayed_then_retried'],
  discards_retries: ['forged_then_retried', 'replayed_then_retried'],
  processes_duplicates: ['duplicate_event'],
  ignores_revisions: ['late_event'],
  ignores_cancellations: ['cancelled_by_customer'],
  repeats_conflicts: ['concurrent_edit'],
  sends_ordered_weights: ['weighed'],
  adds_replacements: ['replaced'],
  picks_missing_items: ['not_found'],
};

let aisle: OwnAisle;
let aisleUrl: string;
const closers: (() => Promise<void>)[] = [];

before(async () => {
  aisle = await startTestAisle();
  aisleUrl = await aisle.aisle.http.listen({ port: 0, host: '127.0.0.1' });
});

after(async () => {
  for (const close of closers) await close();
  await aisle.stop();
});

test('the sample receiver without faults passes, and every planted fault is found', {
  concurrency: true,
}, async (t) => {
  await Promise.all([
    t.test('no fault', async () => {
      const report = await waitForReport(await certify(aisle, aisleUrl, { step_seconds: 20 }));
      assert.deepEqual(failuresIn(report), []);
      assert.deepEqual([report.status, report.is_complete, report.passed], ['PASSED', true, scenarioNames.length]);
    }),
    ...faults.map((fault) =>
      t.test(fault, async () => {
        // Another scenario shows that the fault affects nothing else.
        const body = { step_seconds: 10, scenarios: ['as_ordered' as const, ...finders[fault]] };
        const report = await waitForReport(await certify(aisle, aisleUrl, body, fault));
        assert.equal(report.status, 'FAILED');
        assert.deepEqual(
          failuresIn(report).map(({ name }) => name),
          finders[fault],
        );
        assertExplained(report);
      }),
    ),
  ]);
});

test('a certification whose worker is killed continues in another worker and passes', async () => {
  const api = await startTestAisle({}, 'api');
  const apiUrl = await api.aisle.http.listen({ port: 0, host: '127.0.0.1' });
  const environment = {
    DATABASE_URL: api.url,
    PORT: '0',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
    AISLE_WEBHOOK_ALLOW: 'loopback',
  };
  const started = await certify(api, apiUrl, { step_seconds: 16, scenarios: ['as_ordered', 'duplicate_event'] });
  const first = launchProgram(['worker'], environment);
  await waitFor('a finished step', async () => (await readReport(started)).passed > 0, 60, 50);
  first.kill('SIGKILL');
  const interrupted = await readReport(started);
  assert.equal(interrupted.status, 'RUNNING');
  const second = launchProgram(['worker'], environment);
  const report = await waitForReport(started);
  assert.deepEqual([report.status, failuresIn(report)], ['PASSED', []]);
  second.kill('SIGKILL');
  await api.stop();
});

type ScenarioName = (typeof scenarioNames)[number];
type Started = { client: AisleClient; certification_id: string };
type Report = GetCertificationResponse;

/** Starts a certification of a new chain whose integration is the sample receiver. */
async function certify(
  server: TestAisle,
  url: string,
  body: StartCertificationRequest,
  fault?: Fault,
): Promise<Started> {
  const chain = await makeShop(server);
  await changeVendor(server, chain, { settings: { integration_type: 'PICKING', integration_enabled: true } });
  let secret = '';
  const { chainId, token } = chain;
  const receiver = await startSampleReceiver({ aisleUrl: url, chainId, token, secret: () => secret, fault });
  closers.push(receiver.close);
  const client = clientOf({ url }, chain);
  const webhook = await client.putWebhook({ body: { environment: 'production', production_url: receiver.url } });
  secret = webhook.signing_secret ?? '';
  const params = { vendor_id: String(chain.vendors[0]) };
  const { certification_id } = await client.startCertification({ params, body });
  return { client, certification_id };
}

function readReport({ client, certification_id }: Started): Promise<Report> {
  return client.getCertification({ params: { certification_id } });
}

async function waitForReport(started: Started): Promise<Report> {
  await waitFor('the certification', async () => (await readReport(started)).status !== 'RUNNING', 180, 250);
  return readReport(started);
}

function failuresIn({ scenarios }: Report) {
  return scenarios.flatMap(({ name, steps }) =>
    steps.flatMap(({ status, title, actual }) => (status === 'FAILED' ? [{ name, step: title, actual }] : [])),
  );
}

/** Every failure names the request that caused it, and where the documentation explains it. */
function assertExplained({ scenarios }: Report): void {
  for (const { steps } of scenarios) {
    for (const step of steps) {
      if (step.status !== 'FAILED') continue;
      assert.match(String(step.documentation), /^http:\/\/aisle\.test\/docs\//);
      assert.ok(step.expected && step.actual && step.rule, JSON.stringify(step));
      assert.ok(step.request?.method === 'POST' || step.request?.method === 'PUT', JSON.stringify(step));
    }
  }
}
