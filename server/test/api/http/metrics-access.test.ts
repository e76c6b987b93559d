import assert from 'node:assert/strict';
import test from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { useOwnAisle } from '../../support/aisle.ts';
import { assertProblem } from '../../support/problem.ts';

const aisle = await useOwnAisle({ AISLE_METRICS_TOKEN: 'scrape-me-0123456789' });

test('metrics require the token if one is configured', async () => {
  for (const authorization of [undefined, 'Bearer wrong', 'Bearer scrape-me-012345678', 'scrape-me-0123456789']) {
    const response = await aisle.call('GET', '/metrics', { headers: { ...(authorization && { authorization }) } });
    assertProblem(response, 'invalid_token');
    assert.equal(response.headers['www-authenticate'], 'Bearer');
    assert.doesNotMatch(response.text, /aisle_http_requests_total/);
  }
  const scraped = await aisle.call('GET', '/metrics', { headers: { authorization: 'Bearer scrape-me-0123456789' } });
  assert.equal(scraped.status, 200);
  assert.match(scraped.text, /aisle_http_requests_total/);
});

test('metrics are served only on their own port if one is configured', async (t) => {
  const split = await aisle.another({ AISLE_METRICS_PORT: '9464' });
  t.after(split.stop);
  assertProblem(await split.call('GET', '/metrics'), 'route_not_found');
  const own = split.aisle.metricsHttp;
  assert.ok(own);
  const authorization = 'Bearer scrape-me-0123456789';
  const scraped = await own.inject({ url: '/metrics', headers: { authorization } });
  assert.match(scraped.payload, /aisle_http_requests_total/);
  assert.equal((await own.inject({ url: '/metrics' })).statusCode, 401, 'the token is required there too');
  assert.equal((await own.inject({ url: '/v2/limits' })).statusCode, 404);
});

test('an invalid metrics port or token is a startup error that does not show the token', () => {
  assert.throws(() => readConfig({ AISLE_METRICS_PORT: 'x' }), /AISLE_METRICS_PORT must be an integer from 1 to 65535/);
  assert.throws(() => readConfig({ AISLE_METRICS_PORT: '8080' }), /AISLE_METRICS_PORT must differ from PORT/);
  const short = () => readConfig({ AISLE_METRICS_TOKEN: 'short secret' });
  assert.throws(short, /AISLE_METRICS_TOKEN must be at least 16 printable ASCII characters without spaces/);
  assert.throws(short, (error: Error) => !error.message.includes('short secret'));
});
