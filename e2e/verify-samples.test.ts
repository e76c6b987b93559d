import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { signatureHeader } from '../server/src/deliveries/rules/signature.ts';
import { signingKey } from '../server/src/webhooks/secrets.ts';

/** The samples in the webhook guide: the file, how the guide labels it, how to run it, and how to find out if it can run. */
const samples = [
  { file: 'verify.mjs', label: 'js', command: [process.execPath], probe: ['--version'] },
  { file: 'verify.py', label: 'python', command: ['python3'], probe: ['--version'] },
  // Only a JDK can run a source file.
  { file: 'Verify.java', label: 'java', command: ['java'], probe: ['--describe-module', 'jdk.compiler'] },
  // Only .NET 10 and later can run a source file.
  { file: 'Verify.cs', label: 'csharp', command: ['dotnet', 'run'], probe: ['--version'], atLeast: 10 },
  { file: 'verify.php', label: 'php', command: ['php'], probe: ['--version'] },
  { file: 'verify.go', label: 'go', command: ['go', 'run'], probe: ['version'] },
];
const installed = samples.filter(isInstalled);

const [oldSecret, newSecret] = [secretOf('o'), secretOf('n')];
const sentAt = 1_777_887_000;
const id = '01a1e03d-82f1-7d88-85ae-6ca3c7d9c4df';
const body = '{"name":"خبز","note":"a\\tb"}';
const signed = sign([newSecret]);
const rotating = sign([newSecret, oldSecret]);
const message = { secret: newSecret, id, timestamp: String(sentAt), signatures: signed, now: sentAt + 5, body };

const cases: { name: string; expected: boolean; message: typeof message }[] = [
  { name: 'the right signature', expected: true, message },
  { name: 'a message that is five minutes old', expected: true, message: { ...message, now: sentAt + 300 } },
  { name: 'the new secret during rotation', expected: true, message: { ...message, signatures: rotating } },
  {
    name: 'the old secret during rotation',
    expected: true,
    message: { ...message, secret: oldSecret, signatures: rotating },
  },
  { name: 'another body', expected: false, message: { ...message, body: body.replace('a', 'b') } },
  { name: 'another secret', expected: false, message: { ...message, secret: oldSecret } },
  { name: 'another id', expected: false, message: { ...message, id: id.replace('0', '1') } },
  { name: 'another timestamp', expected: false, message: { ...message, timestamp: String(sentAt + 1) } },
  { name: 'an old timestamp', expected: false, message: { ...message, now: sentAt + 301 } },
  { name: 'a timestamp in the future', expected: false, message: { ...message, now: sentAt - 301 } },
  { name: 'a timestamp that is not a number', expected: false, message: { ...message, timestamp: 'now' } },
  { name: 'no signature', expected: false, message: { ...message, signatures: '' } },
  { name: 'a signature of another version', expected: false, message: { ...message, signatures: signed.slice(3) } },
  { name: 'a shortened signature', expected: false, message: { ...message, signatures: signed.slice(0, 20) } },
];

for (const sample of installed) {
  test(`${sample.file} accepts authentic messages and rejects all others`, () => {
    const [command = '', ...args] = sample.command;
    const { stdout, stderr, status } = spawnSync(command, [...args, pathOf(sample.file)], {
      input: cases.map(lineOf).join(''),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const results = stdout.trim().split('\n');
    assert.deepEqual(
      cases.map(({ name }, index) => `${name}: ${results[index]}`),
      cases.map(({ name, expected }) => `${name}: ${expected}`),
    );
  });
}

test('every language whose tools are installed is tested, JavaScript in any case', (t) => {
  const names = (some: typeof samples) => some.map(({ file }) => file).join(', ') || 'none';
  t.diagnostic(`run: ${names(installed)}`);
  t.diagnostic(`not run, because the tools are not installed: ${names(samples.filter((one) => !isInstalled(one)))}`);
  assert.ok(installed.some(({ file }) => file === 'verify.mjs'));
});

test('the webhook guide shows the code of each sample', () => {
  const guide = readFileSync(new URL('../docs/guides/events.md', import.meta.url), 'utf8');
  for (const { file, label } of samples) {
    const block = new RegExp(`\`\`\`${label}\n([^]*?)\`\`\``).exec(guide)?.[1] ?? assert.fail(`no block for ${file}`);
    assert.match(block, /300/, file);
    assert.ok(readFileSync(pathOf(file), 'utf8').includes(block), `the guide differs from ${file}`);
    assert.ok(guide.includes(`(verify/${file})`), `no link to ${file}`);
  }
});

function isInstalled({ command, probe, atLeast = 0 }: (typeof samples)[number]): boolean {
  const { status, stdout } = spawnSync(command[0] ?? '', probe, { encoding: 'utf8' });
  return status === 0 && (atLeast === 0 || Number.parseInt(stdout, 10) >= atLeast);
}

function secretOf(character: string): string {
  return `whsec_${Buffer.alloc(32, character).toString('base64')}`;
}

function sign(secrets: string[]): string {
  return signatureHeader(secrets.map(signingKey), id, sentAt, body);
}

function lineOf({ message: sent }: (typeof cases)[number]): string {
  const { secret, timestamp, signatures, now } = sent;
  return `${[secret, sent.id, timestamp, signatures, now, Buffer.from(sent.body).toString('base64')].join('\t')}\n`;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../docs/guides/verify/${file}`, import.meta.url));
}
