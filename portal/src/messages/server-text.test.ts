import assert from 'node:assert/strict';
import test from 'node:test';
import { valueFaults } from '@aisle/contract/value-faults';
import { importBundle } from './catalogue.ts';
import { chooseLanguage, loadMessages } from './language.ts';
import { errorText, jobErrorText, problemText, promotionErrorText } from './server-text.ts';

const arabic = await importBundle('ar', 'pages');

test('an error of the API is shown in the language of the user, with the message of the API if it says more', async () => {
  await loadMessages('pages');
  Object.assign(globalThis, { document: { documentElement: {} } });
  await chooseLanguage('ar');
  assert.equal(errorText({ code: 'last_owner', detail: 'Needs an owner.' }), arabic['error.last_owner']);
  assert.equal(
    errorText({ code: 'job_state_conflict', detail: 'Not ended.' }),
    'حالة المهمة لا تسمح بذلك: \u2068Not ended.\u2069',
  );
  assert.equal(errorText({ code: 'method_not_allowed', detail: 'Use GET.' }), 'Use GET.');
  assert.equal(
    problemText('product_not_found', 'The vendor has no such product.'),
    arabic['problem.product_not_found'],
  );
  assert.equal(promotionErrorText('nothing_applied: No SKU could be applied.'), arabic['problem.nothing_applied']);
  await chooseLanguage('en');
  assert.equal(errorText({ code: 'job_state_conflict', detail: 'Not ended.' }), 'Not ended.');
  assert.equal(
    problemText('product_not_found', 'The vendor has no such product.'),
    'The store has no product with this SKU.',
  );
  assert.equal(promotionErrorText('Line 3 has too many columns.'), 'Line 3 has too many columns.');
});

test('the reason why a job failed is shown in the language of the user', async () => {
  const unknown = 'Line 1, column 2: the column "cost" is unknown; allowed columns are sku, price.';
  assert.equal(jobErrorText('unreadable_file', unknown), unknown);
  assert.equal(jobErrorText(undefined, unknown), unknown);
  await chooseLanguage('ar');
  assert.equal(
    jobErrorText('unreadable_file', unknown),
    'السطر 1، العمود 2: \u2068العمود "\u2068cost\u2069" غير معروف. الأعمدة المسموح بها: \u2068sku, price\u2069\u2069.',
  );
  assert.equal(
    promotionErrorText('unreadable_file: Line 2, column 1: the file has no rows below the names of the columns.'),
    'السطر 2، العمود 1: لا توجد صفوف تحت أسماء الأعمدة.',
  );
  assert.equal(
    jobErrorText('cancelled', 'Cancelled by Lina before it was applied.'),
    'ألغاها \u2068Lina\u2069 قبل تطبيقها.',
  );
  assert.equal(jobErrorText('nothing_applied', 'All items failed.'), arabic['problem.nothing_applied']);
  await chooseLanguage('en');
});

test('the reason why a value is rejected is shown in the language of the user', async () => {
  const two = 'price must be a number from 0 to 9999999.999; sku must be a string of 1 to 64 characters.';
  const ambiguous = 'price can be read in two ways: write 1234 or 1.234 instead of 1,234.';
  for (const text of [two, ambiguous, 'must be an email address', '/name is required'])
    assert.equal(problemText('bad_format', text), text);
  await chooseLanguage('ar');
  const plain = (text: string) => text.replaceAll(/[\u200f\u2068\u2069]/g, '');
  assert.equal(
    plain(problemText('wrong_type', two)),
    'price: يجب إدخال عدد من 0 إلى 9999999.999؛ sku: يجب إدخال نص طوله من 1 إلى 64 حرفًا.',
  );
  assert.equal(
    plain(problemText('bad_format', ambiguous)),
    'price: يمكن قراءة العدد بطريقتين، فاكتب 1234 أو 1.234 بدلًا من 1,234.',
  );
  assert.equal(problemText('bad_format', 'must be an email address'), arabic['value.email']);
  assert.equal(problemText('bad_format', valueFaults.private_key), arabic['value.private_key']);
  assert.equal(
    plain(problemText('out_of_range', 'price must be at most 5; sku must not be repeated')),
    'price: يجب ألا تزيد القيمة على 5؛ sku: يجب ألا تتكرر القيمة',
  );
  assert.equal(
    problemText('bad_format', 'must be a date such as 2026-05-04'),
    'صيغة القيمة غير صحيحة: \u2068must be a date such as 2026-05-04\u2069',
  );
  await chooseLanguage('en');
});
