import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { checkServer } from './check-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'aisle-certificate-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs `check` against a local TLS server whose self-signed certificate is valid for some days. */
async function withServer<Result>(
  days: number,
  check: (port: number, certificate: string) => Promise<Result>,
): Promise<Result> {
  const [key, certificate] = [join(folder, `${days}.key`), join(folder, `${days}.pem`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    String(days),
    '-keyout',
    key,
    '-out',
    certificate,
  ];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) =>
    response.end('{}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await check((server.address() as AddressInfo).port, certificate);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const later = (days: number) => () => new Date(Date.now() + days * 86_400_000);

test('a certificate that is self-signed or expired is the error, with its remedy', async () => {
  await withServer(30, async (port) => {
    const selfSigned = await checkServer(`https://localhost:${port}`, later(0));
    assert.equal(selfSigned.isReachable, false);
    const [finding, ...others] = selfSigned.findings;
    assert.deepEqual([finding?.area, finding?.status, others], ['certificate', 'error', []]);
    assert.match(`${finding?.message} ${finding?.remedy}`, /self-signed.*NODE_EXTRA_CA_CERTS/);
    const expired = await checkServer(`https://localhost:${port}`, later(60));
    assert.match(`${expired.findings[0]?.message} ${expired.findings[0]?.remedy}`, /expired on \d{4}-.*Renew/);
  });
});

test('a trusted certificate that expires soon is a warning, and one for another name an error', async () => {
  await withServer(5, async (port, certificate) => {
    const soon = await runDoctor(`https://localhost:${port}`, certificate);
    assert.match(soon, /! certificate +the certificate is valid for [45] more days\n +Renew the certificate/);
    assert.match(soon, /✓ server/);
    const other = await runDoctor(`https://127.0.0.1:${port}`, certificate);
    assert.match(other, /✗ certificate +the certificate is not for 127\.0\.0\.1, but for DNS:localhost\n +Use one of/);
  });
});

/** In another process, because Node reads the trusted certificates when it starts. */
function runDoctor(url: string, certificate: string): Promise<string> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate, AISLE_CONFIG_DIR: folder, NO_COLOR: '1' };
  const program = join(import.meta.dirname, '..', 'main.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'doctor', '--url', url], { env }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}
