import assert from 'node:assert/strict';
import test from 'node:test';
import { Secret } from 'otpauth';
import { findStep, secondFactorUrl } from './totp.ts';

/** The secret of the test vectors in RFC 6238, whose codes have eight digits; the last six are ours. */
const secret = Secret.fromLatin1('12345678901234567890').base32;

test('codes follow RFC 6238', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) {
    assert.equal(findStep(secret, code, seconds * 1000), Math.floor(seconds / 30), code);
  }
});

test('a code is accepted one step early or late, but not two', () => {
  const at = 1_111_111_109_000;
  const step = Math.floor(at / 30_000);
  for (const late of [-30_000, 0, 30_000]) assert.equal(findStep(secret, '081804', at + late), step);
  for (const late of [-60_000, 60_000]) assert.equal(findStep(secret, '081804', at + late), undefined);
});

test('a code with characters other than digits is wrong instead of causing a server error', () => {
  for (const code of ['𱁼𾌻󓦌', '٠٨١٨٠٤', '08180é', '', '0818041']) {
    assert.equal(findStep(secret, code, 1_111_111_109_000), undefined, code);
  }
});

test('the URL names the chain and the user', () => {
  const url = new URL(secondFactorUrl(secret, 'owner@aisle.test', 'Palm: Grocer & Sons'));
  assert.equal(url.searchParams.get('secret'), secret);
  assert.equal(url.searchParams.get('issuer'), 'Aisle Palm: Grocer & Sons');
  assert.match(decodeURIComponent(url.pathname), /owner@aisle\.test$/);
});
