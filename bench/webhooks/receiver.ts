import { createServer } from 'node:http';

/**
 * A receiver that runs in a separate process. POST /hook responds immediately and increments the count. POST /hang
 * never responds. GET /stats returns the count and the times of the first and last requests. POST /reset resets the
 * count.
 */
let count = 0;
let first = 0;
let last = 0;

const bodies: Record<string, () => string | undefined> = {
  '/stats': () => JSON.stringify({ count, first, last }),
  '/reset': () => {
    count = 0;
    return '{}';
  },
  '/hang': () => undefined,
  '/hook': () => {
    last = performance.timeOrigin + performance.now();
    if (count === 0) first = last;
    count += 1;
    return '{}';
  },
};

createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const text = (bodies[String(request.url)] ?? (() => '{}'))();
    if (text !== undefined) response.end(text);
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
