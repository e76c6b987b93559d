// A minimal webhook receiver without dependencies. Set AISLE_SIGNING_SECRET (whsec_…); PORT defaults to 9000.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from((process.env.AISLE_SIGNING_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
const seen = new Set();

createServer(async (request, response) => {
  const body = (await request.setEncoding('utf8').toArray()).join('');
  const isVerified = verifySignature(request.headers, body);
  response.writeHead(isVerified ? 200 : 401).end(); // respond first, then process the event
  if (isVerified) handleEvent(request.headers['webhook-id'], JSON.parse(body));
}).listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => console.log('Listening.'));

/** Processes each event once; duplicates have the same id. */
function handleEvent(id, event) {
  if (seen.has(id)) return;
  seen.add(id);
  console.log(id, event.order_id ?? event.job_id ?? event.type, event.status ?? '', event.revision ?? '');
}

/** Standard Webhooks: HMAC-SHA256 of id, timestamp and body. One signature must match, and the timestamp must be recent. */
function verifySignature(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
