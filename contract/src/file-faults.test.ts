import assert from 'node:assert/strict';
import test from 'node:test';
import { describeFault, type FileFault, fileFaults, recognizeFault } from './file-faults.ts';

test('every reason is recognized by its text, with its values', () => {
  for (const code of Object.keys(fileFaults) as FileFault[]) {
    const names = Array.from(fileFaults[code].matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');
    const values = Object.fromEntries(names.map((name) => [name, `the "${name}" (1)`]));
    assert.deepEqual(recognizeFault(describeFault(code, values)), { code, values });
  }
});

test('other texts are not recognized', () => {
  assert.equal(recognizeFault('start_time must be before end_time'), undefined);
});
