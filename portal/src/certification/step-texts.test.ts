import assert from 'node:assert/strict';
import test from 'node:test';
import { actualCodes, stepCodes } from '@aisle/contract/certification-codes';
import { importBundle } from '../messages/catalogue.ts';
import { chooseLanguage, loadMessages } from '../messages/language.ts';
import { stepTexts } from './step-texts.ts';

const arabic = await importBundle('ar', 'pages');
await loadMessages('start');
await loadMessages('pages');
Object.assign(globalThis, { document: { documentElement: {} } });

const step: Parameters<typeof stepTexts>[0] = {
  code: 'accept_received',
  title: 'The receiver accepts it',
  by: 'INTEGRATION',
  status: 'FAILED',
  expected: 'A 2xx status',
  actual: 'No message',
  actual_code: 'no_message',
  actual_values: { seconds: '30' },
  rule: 'Respond.',
  documentation: null,
  started_at: null,
  finished_at: null,
  request: null,
};

test('every step and every result has a text', () => {
  const keys = [
    ...stepCodes.map((code) => `certification.step.${code}`),
    ...actualCodes.map((code) => `certification.actual.${code}`),
  ];
  assert.deepEqual(
    keys.filter((key) => !(key in arabic)),
    [],
  );
});

test('a step is described in the language of the user', async () => {
  await chooseLanguage('ar');
  assert.deepEqual(stepTexts(step), {
    title: arabic['certification.step.accept_received'],
    expected: 'استجابة 2xx خلال 10 ثوانٍ',
    actual: 'لم تُرسل أي رسالة خلال \u206830\u2069 ثانية',
    rule: 'أجب بأي استجابة 2xx خلال 10 ثوانٍ. خزّن الرسالة وأجب ثم عالجها.',
  });
  const quiet = stepTexts({
    ...step,
    code: 'no_repeat',
    actual_code: 'put_received',
    actual_values: { status: '200' },
  });
  assert.equal(quiet.expected, arabic['certification.expected.quiet']);
  assert.equal(quiet.actual, 'وصل طلب PUT واستجابته \u2068200\u2069');
  await chooseLanguage('en');
});

test('items and unknown steps are shown as the API describes them', () => {
  const items = { expected: 'MLK-00012: IN_CART, 2 units', actual: 'MLK-00012: NOT_FOUND', actual_code: null };
  const texts = stepTexts({ ...step, code: 'fulfil', ...items });
  assert.deepEqual([texts.expected, texts.actual], [items.expected, items.actual]);
  assert.equal(stepTexts({ ...step, code: null }).title, step.title);
});
