import assert from 'node:assert/strict';
import test from 'node:test';
import { createTranslate, importBundle } from '../messages/catalogue.ts';
import { describeDevice } from './describe-device.ts';

const inEnglish = createTranslate('en', 'en', await importBundle('en', 'start'));
const inArabic = createTranslate('ar', 'ar-AE', await importBundle('ar', 'start'));

test('the device of a session is described in the language of the page', () => {
  assert.equal(describeDevice(inEnglish, 'Chrome on Linux'), 'Chrome on Linux');
  assert.equal(describeDevice(inEnglish, 'curl'), 'curl');
  assert.equal(describeDevice(inEnglish, null), 'Unknown device');
  assert.equal(describeDevice(inArabic, 'Chrome on Linux'), '\u2068Chrome\u2069 على \u2068Linux\u2069');
});
