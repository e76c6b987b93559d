// Verifies webhooks from Aisle. Needs Node 18 or later and no packages.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createInterface } from 'node:readline';

/** `headers` has lower-case names, `body` is the raw body as a Buffer, and `now` is the Unix time in seconds. */
export function isSigned(secret, headers, body, now) {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(now - Number(sentAt)) <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// Only for the test of this file. Each line is a message: secret, id, timestamp, signatures, now, body in base64.
for await (const line of createInterface({ input: process.stdin })) {
  const [secret, id, sentAt, signatures, now, body] = line.split('\t');
  const headers = { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures };
  console.log(isSigned(secret, headers, Buffer.from(body, 'base64'), Number(now)));
}
