import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
async function withServer<Result>(days: number, check: (port: number) => Promise<Result>): Promise<Result> {
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
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  try {
    return await check((server.address() as AddressInfo).port);
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
