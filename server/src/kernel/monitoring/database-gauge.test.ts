import assert from 'node:assert/strict';
import test from 'node:test';
import { Registry } from 'prom-client';
import { registerDatabaseGauge } from './database-gauge.ts';

test('a gauge has no value while the database fails, and has one again afterwards', async () => {
  const registry = new Registry();
  let value: number | undefined;
  const read = async () => {
    if (value === undefined) throw new Error('The database is unreachable.');
    return value;
  };
  registerDatabaseGauge(registry, { name: 'plain', help: 'h' }, async () => [{ value: await read() }]);
  registerDatabaseGauge(registry, { name: 'labelled', help: 'h', labels: ['kind'] }, async () => [
    { labels: { kind: 'a' }, value: await read() },
  ]);
  const samples = async () => (await registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line));
  assert.deepEqual(await samples(), []);
  value = 0;
  assert.deepEqual(await samples(), ['plain 0', 'labelled{kind="a"} 0']);
  value = undefined;
  assert.deepEqual(await samples(), []);
  value = 5;
  assert.deepEqual(await samples(), ['plain 5', 'labelled{kind="a"} 5']);
});

test('a database that does not respond delays metrics by two seconds at most, and is asked only once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const registry = new Registry();
  let reads = 0;
  const { promise: never } = Promise.withResolvers<never>();
  registerDatabaseGauge(registry, { name: 'plain', help: 'h' }, () => {
    reads += 1;
    return never;
  });
  for (let scrape = 0; scrape < 3; scrape++) {
    const scraping = registry.metrics();
    t.mock.timers.tick(2000);
    assert.doesNotMatch(await scraping, /^plain/m);
  }
  assert.equal(reads, 1);
});
