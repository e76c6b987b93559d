import assert from 'node:assert/strict';
import test from 'node:test';
import { importBundle } from './catalogue.ts';
import { chooseLanguage, loadMessages } from './language.ts';
import { errorText, jobErrorText, problemText } from './server-text.ts';

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
  assert.equal(jobErrorText('nothing_applied: No SKU could be applied.'), arabic['problem.nothing_applied']);
  await chooseLanguage('en');
  assert.equal(errorText({ code: 'job_state_conflict', detail: 'Not ended.' }), 'Not ended.');
  assert.equal(
    problemText('product_not_found', 'The vendor has no such product.'),
    'The store has no product with this SKU.',
  );
  assert.equal(jobErrorText('Line 3 has too many columns.'), 'Line 3 has too many columns.');
});
