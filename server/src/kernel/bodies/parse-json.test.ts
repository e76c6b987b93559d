import assert from 'node:assert/strict';
import test from 'node:test';
import { parseJson } from './parse-json.ts';

function detailOf(text: string): string {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${text} is valid.`);
}

test('the error for malformed JSON does not quote a secret in the body', () => {
  const bodies = [
    '{"password": hunter2-my-secret-pass}',
    '{"name": "a name before the password", "password": hunter2-my-secret-pass, "more": 1, "another": "text"}',
    'hunter2',
    '"hunter2',
    '{"password": "hunter2" "hunter2"}',
    '["hunter2", "hunter2"',
  ];
  for (const text of bodies) {
    const detail = detailOf(text);
    assert.match(detail, /^The body is not valid JSON/);
    assert.doesNotMatch(detail, /unter2|secret|pass/, detail);
  }
  assert.equal(detailOf('{"a": x}'), "The body is not valid JSON: Unexpected token 'x'.");
});
