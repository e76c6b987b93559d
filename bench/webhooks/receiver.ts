import { createServer } from 'node:http';

/**
 * A receiver in a process of its own. POST /hook is answered at once and counted; POST /hang is never answered.
 * GET /stats says how many came and when the first and the last one did; POST /reset begins anew.
 */
let count = 0;
let first = 0;
let last = 0;

createServer((request, response) => {
  if (request.url === '/stats') return void response.end(JSON.stringify({ count, first, last }));
  if (request.url === '/reset') {
    count = 0;
    return void response.end();
  }
  if (request.url === '/hang') return void request.resume();
  request.on('data', () => {});
  request.on('end', () => {
    if (request.url === '/hook') {
      last = performance.timeOrigin + performance.now();
      if (count === 0) first = last;
      count += 1;
    }
    response.end('{}');
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
