import assert from 'node:assert/strict';
import test from 'node:test';
import { newToken } from '../secrets.ts';
import { isToken, readAuthorization, tokenKinds, tokenPrefix } from './token.ts';

test('a token consists of its kind, 32 random characters and a checksum', () => {
  for (const kind of tokenKinds) {
    const token = newToken(kind);
    assert.match(token, new RegExp(`^aisle_${kind}_[0-9A-Za-z]{38}$`));
    assert.ok(isToken(token));
  }
});

test('a token with one wrong character is invalid', () => {
  const token = newToken('live');
  for (let at = 'aisle_live_'.length; at < token.length; at++) {
    const wrong = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
    assert.equal(isToken(wrong), false, wrong);
  }
});

test('the prefix shows only four characters of the secret', () => {
  const token = newToken('test');
  assert.equal(tokenPrefix(token), token.slice(0, 'aisle_test_'.length + 4));
});

test('the bearer scheme is case-insensitive, and a token without a scheme is accepted too', () => {
  assert.equal(readAuthorization('Bearer abc'), 'abc');
  assert.equal(readAuthorization('bEARER   abc '), 'abc');
  assert.equal(readAuthorization('abc'), 'abc');
  for (const header of [undefined, '', '  ', 'Basic abc', 'Bearer a b']) {
    assert.equal(readAuthorization(header), undefined);
  }
});
