import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { errors } from '@aisle/contract/errors';
import { subCodes } from '@aisle/contract/sub-codes';
import { useAisle } from '../../support/aisle.ts';

const aisle = await useAisle();

test('the errors page lists every error code and every sub-code', async () => {
  const { status, text } = await aisle.call('GET', '/docs/errors');
  assert.equal(status, 200);
  for (const code of [...Object.keys(errors), ...Object.keys(subCodes)]) {
    assert.ok(text.includes(`<code>${code}</code>`), code);
  }
});

test('the partner guide lists every sub-code', () => {
  const guide = readFileSync(new URL('../../../../docs/guides/partners.md', import.meta.url), 'utf8');
  for (const code of Object.keys(subCodes)) assert.ok(guide.includes(`\`${code}\``), code);
});

test('the problem schema lists the sub-codes', async () => {
  const { body } = await aisle.call('GET', '/openapi/partner.json');
  const { InputErrorCode, WarningCode } = body.components.schemas;
  assert.ok(InputErrorCode.enum.includes('named_twice') && !InputErrorCode.enum.includes('replacement_price_capped'));
  assert.deepEqual(WarningCode.enum, ['replacement_price_ignored', 'replacement_price_capped']);
});
