import assert from 'node:assert/strict';
import test from 'node:test';
import { curlOf } from './curl.ts';

const body = `{"comment":"It's 5 $HOME \\" \`id\` é"}`;
const request = { url: 'https://example.com/hook', headers: { 'webhook-id': 'a', authorization: '[hidden]' }, body };

test('the command contains every header, and a variable in place of a hidden one', () => {
  assert.equal(
    curlOf({ ...request, body: '{}' }),
    `curl -i 'https://example.com/hook' \\
  -H 'webhook-id: a' \\
  -H "authorization: $AUTHORIZATION" \\
  --data-binary '{}'`,
  );
});

test('quotes in the body are escaped, and the shell does not expand anything in it', () => {
  const [, , , data] = curlOf(request).split(' \\\n  ');
  assert.equal(data, String.raw`--data-binary '{"comment":"It'\''s 5 $HOME \" ` + '`id` é"}\'');
});
