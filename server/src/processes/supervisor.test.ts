import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { waitFor } from '../../test/support/wait.ts';
import type { OperatorError } from '../kernel/failures/operator-error.ts';
import { createLog } from '../kernel/monitoring/log.ts';
import { createSupervisor } from './supervisor.ts';

type Start = 'serves' | 'dies' | 'cannot start';

/** A process that does what it is told when it is started. */
const program = `
  process.on('message', ({ type, values }) => {
    if (type === 'stop') process.exit(0);
    if (type !== 'start') return;
    const isReady = values !== 'cannot start';
    process.send(isReady ? { type: 'ready', values } : { type: 'failed', message: 'The port is in use.' }, () => {
      if (values !== 'serves') process.exit(1);
    });
  });
  process.on('disconnect', () => process.exit());`;

/** Starts a process for requests and one for SFTP. `starts` has what each of them does; after that, they serve. */
async function start(t: TestContext, starts: Record<1 | 2, Start[]>) {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-supervisor-'));
  const path = join(folder, 'program.mjs');
  writeFileSync(path, program);
  const lines: Record<string, unknown>[] = [];
  const givenUp: OperatorError[] = [];
  const started = { 1: 0, 2: 0 };
  const supervisor = createSupervisor({
    program: path,
    args: [],
    kinds: [
      { listeners: ['http'], isRequired: true },
      { listeners: ['sftp'], isRequired: false },
    ],
    trustedProxies: [],
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) }),
    shutdownSeconds: 5,
    valuesFor: (number) => starts[number as 1 | 2][started[number as 1 | 2]++] ?? 'serves',
    onGivenUp: (error) => void givenUp.push(error),
  });
  t.after(async () => {
    await supervisor.stop();
    rmSync(folder, { recursive: true });
  });
  await supervisor.startFirst();
  await supervisor.startOthers();
  const logged = (event: string) => lines.filter((line) => line['event'] === event).map(({ number }) => number);
  return { started, givenUp, logged };
}

test('if the process of SFTP cannot start again, the others continue, and it is started until it serves', async (t) => {
  const sftp: Start[] = ['dies', 'cannot start', 'cannot start', 'serves'];
  const { started, givenUp, logged } = await start(t, { 1: ['serves'], 2: sftp });
  await waitFor('the last start', () => started[2] === 4);
  assert.deepEqual([givenUp, started[1]], [[], 1]);
  assert.deepEqual(
    [logged('process.failed'), logged('process.exited')],
    [
      [2, 2],
      [2, 2, 2],
    ],
  );
});

test('if a process that serves requests cannot start again, the supervisor gives up', async (t) => {
  const { started, givenUp } = await start(t, { 1: ['dies', 'cannot start'], 2: ['serves'] });
  await waitFor('the supervisor to give up', () => givenUp.length > 0);
  assert.deepEqual([givenUp.map(({ message }) => message), started], [['The port is in use.'], { 1: 2, 2: 1 }]);
});
