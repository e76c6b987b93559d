import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { endsInTime, veryMany } from '../../../test/support/in-time.ts';
import { redactSecrets } from '../../kernel/monitoring/redact-secrets.ts';
import { redactBody, redactQuery } from './redact-body.ts';

test('secrets are removed at any depth, and other fields are kept', () => {
  const body = {
    name: 'Till',
    client_secret: 's1',
    clientSecret: 's2',
    items: [{ deep: { new_password: 's3', token: 's4', secrets: ['s5', 's6'], Authorization: 's7', api_key: 8 } }],
    token_id: 'kept',
    has_secret: true,
    must_change_password: false,
    secret: null,
    previous_secret_expires_at: '2026-05-04T09:30:00.000Z',
  };
  assert.deepEqual(JSON.parse(redactBody(JSON.stringify(body))), {
    name: 'Till',
    client_secret: '[removed]',
    clientSecret: '[removed]',
    items: [
      {
        deep: {
          new_password: '[removed]',
          token: '[removed]',
          secrets: '[removed]',
          Authorization: '[removed]',
          api_key: '[removed]',
        },
      },
    ],
    token_id: 'kept',
    has_secret: true,
    must_change_password: false,
    secret: null,
    previous_secret_expires_at: '2026-05-04T09:30:00.000Z',
  });
});

test('a field name written with escape sequences is recognized', () => {
  assert.equal(redactBody('{"pass\\u0077ord": "hidden"}'), '{"password":"[removed]"}');
});

test('secrets in truncated or malformed JSON are removed', () => {
  assert.equal(redactBody('{"a": 1, "password": "hid\\"den", "b": '), '{"a": 1, "password": "[removed]", "b": ');
  assert.equal(redactBody('{"password" : "hidd'), '{"password" : "[removed]"');
  assert.equal(redactBody('{"password" : "hidd\\'), '{"password" : "[removed]"');
  assert.equal(redactBody('{"pin_token": 12345, "b": '), '{"pin_token": "[removed]", "b": ');
  assert.equal(redactBody('{"secrets": ["hidden", "hidd'), '{"secrets": "[removed]"');
});

test('signatures and credentials in URLs are removed', () => {
  const url = 'https://user:hidden@aisle.test/file?format=csv&signature=hidden&x=1';
  assert.equal(
    redactBody(JSON.stringify({ download_url: url })),
    '{"download_url":"https://[removed]@aisle.test/file?format=csv&signature=[removed]&x=1"}',
  );
  assert.equal(
    redactQuery('signature=hidden&page=2&access_token=hidden'),
    'signature=[removed]&page=2&access_token=[removed]',
  );
});

test('secrets under unusual names, in form bodies and inside strings are removed', () => {
  const values = {
    'x-api-key': 'HIDDEN',
    tokens: ['HIDDEN'],
    pwd: 'HIDDEN',
    password_confirmation: 'HIDDEN',
    has_password: 'HIDDEN',
    note: '{"password":"HIDDEN"}',
    command: 'curl -H "Authorization: Bearer HIDDEN-0123456789"',
    url: 'https://u:p@HIDDEN@host/#access_token=HIDDEN',
    pasted: 'aisle_test_HIDDEN0123456789012345678901234567',
  };
  assert.doesNotMatch(redactBody(JSON.stringify(values)), /HIDDEN/);
  assert.doesNotMatch(redactBody('client_secret=HIDDEN&b=1'), /HIDDEN/);
  for (const query of ['%73ignature=HIDDEN', 'x[signature]=HIDDEN', 'api-key=HIDDEN', 'a=1&password=HIDDEN']) {
    assert.doesNotMatch(redactQuery(query), /HIDDEN/, query);
  }
});

test('a name with escaped letters is recognized in malformed JSON, too', () => {
  assert.equal(
    redactBody(String.raw`{"secr\u0065t":"s1","\u0061pi\u005FKey":"s2", bad`),
    '{"secret":"[removed]","api_Key":"[removed]", bad',
  );
});

test('a secret is always removed, wherever the body is truncated', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const name = fc.constantFrom('password', 'client_secret', 'token', 'signing_secret', 'accessToken');
  fc.assert(
    fc.property(json, json, name, fc.nat(), (before, after, key, cut) => {
      const text = JSON.stringify({ before, inner: [{ [key]: 'HIDDEN-VALUE' }], after });
      for (const part of [text, text.slice(0, cut % text.length)]) assert.doesNotMatch(redactBody(part), /HIDDEN-/);
    }),
  );
});

test('a token in a path is removed', () => {
  const path = '/v2/chains/aisle_test_HIDDEN0123456789012345678901234567/orders';
  assert.equal(redactSecrets(path), '/v2/chains/[removed]/orders');
  assert.equal(redactSecrets('/v2/chains/order_1/orders'), '/v2/chains/order_1/orders');
});

test('the result is JSON if the body is, even if a secret begins within an escape sequence', () => {
  for (const value of ['\bearer 12345678', '\u0008asic dXNlcjpwYXNz', '\nbearer 12345678']) {
    const redacted = redactBody(JSON.stringify([{ message: `${value} is unknown` }]));
    assert.doesNotThrow(() => JSON.parse(redacted), redacted);
  }
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: fc.constantFrom(...'\b"\\earer basic :/@?=&token1') }),
      (value, text) => {
        JSON.parse(redactBody(JSON.stringify([value, text, { [text]: text }])));
      },
    ),
  );
});

test('a parameter whose name has very many brackets does not need quadratic time', () => {
  const name = `token[${']'.repeat(veryMany)}`;
  const redacted = endsInTime(() => redactQuery(`${name}x=1&${name}=HIDDEN&token]]=HIDDEN`));
  assert.equal(redacted, `${name}x=1&${name}=HIDDEN&token]]=[removed]`);
});
