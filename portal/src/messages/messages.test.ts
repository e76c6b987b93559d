import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { certificationStatuses, scenarioStatuses, stepStatuses } from '@aisle/contract/certification';
import { attemptOutcomes, deliveryStatuses } from '@aisle/contract/deliveries';
import { jobStatuses, jobTypes } from '@aisle/contract/jobs';
import { cancellingParties, itemStatuses, orderActions, orderStatuses, partnerReasons } from '@aisle/contract/order';
import { closedReasons, outletStatuses } from '@aisle/contract/outlets';
import { promotionStates } from '@aisle/contract/promotion';
import { roles } from '@aisle/contract/route';
import { subCodesIn } from '@aisle/contract/sub-codes';
import { environments, webhookStatuses } from '@aisle/contract/webhooks';
import {
  bundleNames,
  createTranslate,
  hasBundle,
  importAreas,
  importBundle,
  type Language,
  languages,
  languagesWith,
  localeOf,
} from './catalogue.ts';
import { chooseLanguage, currentLanguage, loadMessages } from './language.ts';
import type { Message } from './message.ts';

const source = join(import.meta.dirname, '..');
const messagesOf = { en: await readAll('en'), ar: await readAll('ar') };
const allKeys = Object.keys(messagesOf.en);

for (const language of Object.keys(languages) as Language[]) {
  const bundles = bundleNames.filter((bundle) => hasBundle(language, bundle));
  const messages = await readAll(language);
  const keys = Object.keys(await readAll('en', bundles));

  test(`the language ${language} has every key, without empty texts`, () => {
    assert.deepEqual(Object.keys(messages).toSorted(), keys.toSorted());
    assert.deepEqual(
      keys.filter((key) => textsOf(messages[key]).some((text) => text.trim() === '')),
      [],
    );
  });

  test(`the texts in ${language} have the same placeholders as in English`, () => {
    const differing = keys.filter((key) => {
      const expected = placeholdersOf(messagesOf.en[key]);
      return placeholdersOf(messages[key]).join() !== expected.join();
    });
    assert.deepEqual(differing, []);
  });

  test(`a text in ${language} that depends on a number has every plural form of the language`, () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const incomplete = keys.filter((key) => {
      const message = messages[key];
      const isPlural = typeof messagesOf.en[key] !== 'string';
      if (message === undefined || typeof message === 'string') return isPlural;
      return Object.keys(message).toSorted().join() !== categories.join();
    });
    assert.deepEqual(incomplete, []);
  });

  test(`no key in ${language} is in two areas, and an area has the same bundles as in English`, async () => {
    const areas = new Map<string, object>();
    for (const bundle of bundles) {
      const [own, english] = await Promise.all([importAreas(language, bundle), importAreas('en', bundle)]);
      assert.deepEqual(Object.keys(own), Object.keys(english));
      for (const [name, area] of Object.entries<object>(own)) areas.set(name, area);
    }
    const all = [...areas.values()].flatMap((area) => Object.keys(area));
    assert.deepEqual(
      all.filter((key, index) => all.indexOf(key) !== index),
      [],
    );
  });
}

test('a text is not the same in Arabic and English', () => {
  const same = allKeys.filter((key) => messagesOf.ar[key] === messagesOf.en[key]);
  const onlyPlaceholders = same.filter((key) =>
    textsOf(messagesOf.en[key]).every((text) => !/\p{L}/u.test(text.replace(/\{\w+\}/g, ''))),
  );
  assert.deepEqual(same, onlyPlaceholders);
});

test('the codes that the portal shows have a text', () => {
  const codes = [
    ...orderStatuses,
    ...itemStatuses,
    ...orderActions,
    ...cancellingParties,
    ...partnerReasons,
    ...deliveryStatuses,
    ...attemptOutcomes,
    ...jobStatuses,
    ...jobTypes,
    ...roles,
    ...environments,
    ...webhookStatuses,
    ...outletStatuses,
    ...closedReasons,
    ...promotionStates,
    ...certificationStatuses,
    ...scenarioStatuses,
    ...stepStatuses,
  ];
  assert.deepEqual(
    codes.filter((code) => !allKeys.includes(`code.${code.toUpperCase()}`)),
    [],
  );
});

test('the reasons for failed items and jobs have a text', () => {
  assert.deepEqual(
    [...subCodesIn('item'), ...subCodesIn('job')].filter((code) => !allKeys.includes(`problem.${code}`)),
    [],
  );
});

test('placeholders are replaced, and numbers are formatted for the locale', () => {
  const english = createTranslate('en', 'en-GB', messagesOf.en);
  assert.equal(english('queue.items', { count: 1 }), '1 item');
  assert.equal(english('queue.items', { count: 1200 }), '1,200 items');
  assert.equal(english('line.count', { count: 1, total: 3 }), '1 of 3');
  const egypt = createTranslate('ar', 'ar-EG', messagesOf.ar);
  assert.equal(egypt('queue.items', { count: 2 }), 'صنفان');
  assert.equal(egypt('queue.items', { count: 5 }), '٥ أصناف');
});

test('a number that is part of an Arabic text has the digits of the locale', () => {
  assert.equal(createTranslate('ar', 'ar-EG', messagesOf.ar)('numbers.days7'), '٧ أيام');
  assert.equal(createTranslate('ar', 'ar-AE', messagesOf.ar)('numbers.days7'), '7 أيام');
  assert.equal(createTranslate('en', 'en-GB', messagesOf.en)('numbers.days7'), '7 days');
  assert.deepEqual(
    allKeys.filter((key) => textsOf(messagesOf.ar[key]).some((text) => /[٠-٩]/.test(text))),
    [],
  );
});

test('a name or an id inside an Arabic text keeps the order of its parts', () => {
  const egypt = createTranslate('ar', 'ar-EG', messagesOf.ar);
  assert.equal(egypt('orders.named', { code: 'A-12/3' }), 'الطلب \u2068A-12/3\u2069');
  assert.equal(egypt('orders.named', { code: 'سلة' }), 'الطلب سلة');
});

test('the portal offers the languages that it is complete in, and the picking app all of them', () => {
  const offered = (bundle: 'pages' | 'pick') => languagesWith(bundle).map(({ language }) => language);
  assert.deepEqual(offered('pages'), ['en', 'ar']);
  assert.deepEqual(offered('pick'), ['en', 'ar', 'es', 'tr', 'el']);
});

test('the locale is the language with the region of the device', () => {
  assert.equal(localeOf('ar', ['en-GB', 'ar-EG']), 'ar-EG');
  assert.equal(localeOf('ar', ['en-AE', 'en']), 'ar-AE');
  assert.equal(localeOf('en', []), 'en');
});

test('a text that is not loaded yet is an error, and a change of language loads what is needed', async () => {
  assert.throws(() => currentLanguage().t('shell.language'), /shell\.language is not loaded/);
  await loadMessages('start');
  assert.equal(currentLanguage().t('shell.language'), 'Language');
  const page = { documentElement: { lang: 'en', dir: 'ltr' } };
  Object.assign(globalThis, { document: page });
  await chooseLanguage('ar');
  assert.equal(currentLanguage().t('shell.language'), 'اللغة');
  assert.deepEqual(page.documentElement, { lang: 'ar', dir: 'rtl' });
  assert.throws(() => currentLanguage().t('app.name'), /app\.name is not loaded/);
});

test('a language that only the picking app has is not used in the portal', async () => {
  Object.assign(globalThis, { localStorage: { getItem: () => 'tr', setItem: () => {} } });
  const again: typeof import('./language.ts') = await import(new URL('./language.ts?again', import.meta.url).href);
  await again.loadMessages('pick');
  assert.equal(again.currentLanguage().t('line.notFound'), 'Bulunamadı');
  await again.loadMessages('start');
  assert.equal(again.currentLanguage().language, 'en');
});

test('every key in the catalogue is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.ts', 'messages/{en,ar,es,tr,el}/**'] })
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n');
  const families = [...code.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{/g)].map(([, start]) => start ?? '');
  const isUsed = (key: string) =>
    code.includes(`'${key}'`) || code.includes(`"${key}"`) || families.some((start) => key.startsWith(start));
  const unused = allKeys.filter((key) => !isUsed(key));
  assert.deepEqual(unused, []);
});

async function readAll(
  language: Language,
  bundles = bundleNames.filter((bundle) => hasBundle(language, bundle)),
): Promise<Record<string, Message>> {
  const texts = await Promise.all(bundles.map((bundle) => importBundle(language, bundle)));
  return Object.assign({}, ...texts) as Record<string, Message>;
}

function textsOf(message: Message | undefined): string[] {
  if (message === undefined) return [];
  return typeof message === 'string' ? [message] : Object.values(message);
}

/** In the plural forms for one and two, Arabic spells out the number. */
function placeholdersOf(message: Message | undefined): string[] {
  const names = textsOf(message).flatMap((text) => Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? ''));
  return [...new Set(names)].toSorted();
}
