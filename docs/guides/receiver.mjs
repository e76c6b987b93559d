// A small receiver for Aisle's webhooks, without dependencies: node receiver.mjs whsec_… (PORT 9000 unless set).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = Buffer.from((process.argv[2] ?? '').replace(/^whsec_/, ''), 'base64');
const seen = new Set();

createServer(async (request, response) => {
  const body = (await request.setEncoding('utf8').toArray()).join('');
  const isOurs = isGenuine(request.headers, body);
  response.writeHead(isOurs ? 200 : 401).end(); // first answer, then work
  if (isOurs) work(request.headers['webhook-id'], JSON.parse(body));
}).listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => console.log('Listening.'));

/** Once for each id: what comes again is already done. */
function work(id, event) {
  if (seen.has(id)) return;
  seen.add(id);
  console.log(id, event.order_id ?? event.job_id ?? event.type, event.status ?? '', event.revision ?? '');
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body; one of the signatures must be right, and the time near. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest();
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
