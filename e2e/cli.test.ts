import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createClient } from '@aisle/sdk';
import { waitFor } from '../server/test/support/wait.ts';
import { makeFolder } from './support/folder.ts';
import { freePort, launchNpm, root, welcomed } from './support/launch.ts';

/**
 * Runs the commands of the README in pseudo-terminals, next to `npm start`. `script` from util-linux creates the
 * pseudo-terminals; without it, the commands are connected with pipes.
 */
const { folder, remove } = makeFolder();
const port = await freePort();
const receiverPort = await freePort();
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const environment = {
  ...process.env,
  AISLE_DATA_DIR: join(folder, 'data'),
  AISLE_CONFIG_DIR: join(folder, 'config'),
  PORT: String(receiverPort),
  TERM: 'xterm',
};
const programs: ChildProcessWithoutNullStreams[] = [];
const server = launchNpm([], { PORT: String(port), AISLE_SFTP_PORT: 'off' }, folder);
after(async () => {
  for (const program of programs) signal(program, 'SIGKILL');
  process.kill(-server.pid, 'SIGTERM');
  await server.ended;
  remove();
});
await waitFor('npm start', () => welcomed.test(server.stdout()), 120, 100);

test('the three commands of the README show an order that arrives at a local receiver and is fulfilled', async () => {
  const commands = readmeCommands();
  assert.equal(commands.length, 3);
  const [listen = '', trigger = '', pick = ''] = commands.map(withPort);
  // In a terminal, npm can print warnings before the secret.
  const [secret] = /whsec_\S+/.exec(await run('npx aisle listen --print-secret').ended) ?? [];
  const receiver = run(`env AISLE_SIGNING_SECRET='${secret}' node docs/guides/receiver.mjs`);
  await receiver.prints('Listening.');

  const listening = run(listen);
  await listening.prints('Ready.');
  const placed = await run(trigger).ended;
  const [, code = ''] = /order\.received {2}(\S+)/.exec(placed) ?? [];
  const [orderId = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(placed) ?? [];
  assert.ok(code, placed);
  await listening.prints(`${'order.received'.padEnd(27)}${code}    200`);
  await receiver.prints(`${orderId} RECEIVED 1`);

  const picking = run(pick);
  await picking.prints('Which one?');
  await picking.prints(code);
  picking.type('1');
  await picking.prints('1/2');
  picking.type('1');
  await picking.prints('2/2');
  picking.type('n');
  await picking.prints('Send [Enter]');
  picking.type('');
  assert.match(await picking.ended, new RegExp(`✓ ${code} {2}READY_FOR_PICKUP`));
  await receiver.prints(`${orderId} READY_FOR_PICKUP 2`);
  await listening.prints(`${'order.ready_for_pickup'.padEnd(27)}${code}`);
  // The numbers of the statuses say that the receiver accepted both signatures.
  assert.equal(listening.output().match(/ 200 /g)?.length, 2, listening.output());
  listening.interrupt();
  assert.match(await listening.ended, /Continue with --from/);
});

// Without a terminal, the command does not ask but fails.
if (hasTerminal) test('before an order of another picker is taken over, the terminal asks', testTakeover);

async function testTakeover(): Promise<void> {
  const demo = JSON.parse(readFileSync(join(folder, 'data/demo.json'), 'utf8'));
  const own = createClient({ baseUrl: demo.base_url, token: demo.api_token });
  const { token } = await own.createToken({ body: { name: 'Other device', scopes: ['orders:read', 'orders:write'] } });
  const other = createClient({ baseUrl: demo.base_url, token });
  const placed = await run('npx aisle trigger order.received --demo').ended;
  const [, code = ''] = /order\.received {2}(\S+)/.exec(placed) ?? [];
  const [order_id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(placed) ?? [];
  const params = { order_id };
  await other.claimOrder({ params, body: { mode: 'CLAIM' } });
  const pickers = async () => (await own.getPicking({ params })).pickers.map(({ name }) => name);

  const leaving = run(`npx aisle orders pick ${code} --demo`);
  await leaving.prints('Pick it together [p], take it over [t], quit [Enter]: ');
  assert.match(leaving.output(), /Other device/);
  leaving.type('');
  assert.match(await leaving.ended, /Stopped\./);
  assert.deepEqual(await pickers(), ['Other device']);

  const taking = run(`npx aisle orders pick ${code} --demo`);
  await taking.prints('quit [Enter]: ');
  taking.type('t');
  await taking.prints('1/2');
  assert.doesNotMatch((await pickers()).join(), /Other device/);
  taking.interrupt();
  await taking.ended;
  // After Ctrl-C, the order is free again.
  assert.deepEqual(await pickers(), []);
}

function readmeCommands(): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^npx aisle .*$/gm)].map(([command]) => command).slice(0, 3);
}

function withPort(command: string): string {
  return command.replace(':9000', `:${receiverPort}`).replace(/ +#.*$/, '');
}

/** Starts a command in a pseudo-terminal with 80 columns. */
function run(command: string) {
  const shell = `${hasTerminal ? 'stty cols 80; ' : ''}exec ${command}`;
  const [file, args] = hasTerminal ? ['script', ['-qefc', shell, '/dev/null']] : ['sh', ['-c', shell]];
  const child = spawn(file, args, { cwd: root, env: environment, detached: true });
  programs.push(child);
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (written += String(part)));
  const output = () => stripVTControlCharacters(written).replaceAll('\r', '');
  return {
    output,
    ended: new Promise<string>((resolve) => child.once('close', () => resolve(output()))),
    async prints(text: string) {
      const isPrinted = () => output().includes(text) || child.exitCode !== null;
      await waitFor(`"${text}"`, isPrinted, 60).catch(() => {});
      assert.ok(output().includes(text), `${command} did not print "${text}": ${output()}`);
    },
    type: (line: string) => void child.stdin.write(`${line}\n`),
    interrupt: () => void (hasTerminal ? child.stdin.write('\u0003') : signal(child, 'SIGINT')),
  };
}

/** To the whole group, as a terminal would, because npx starts the command as its child. */
function signal({ pid, exitCode, signalCode }: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, name);
}
