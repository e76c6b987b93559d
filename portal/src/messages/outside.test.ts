import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parseSync, Visitor } from 'rolldown/utils';

const source = join(import.meta.dirname, '..');
const files = globSync('**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.ts', 'messages/**'] })
  .map((file) => file.replaceAll('\\', '/'))
  .toSorted();

test('every text of the portal and the picking app is in the catalogue', () => {
  assert.ok(files.length > 20, `${files.length} files`);
  assert.deepEqual(files.flatMap(readTexts), []);
});

const planted: [what: string, code: string][] = [
  ['text between tags', 'const a = <p>Not found</p>;'],
  ['text in an attribute', 'const a = <button aria-label="Close" />;'],
  ['text in an attribute of an own component', 'const a = <Page about="Everything" />;'],
  ['text in an expression', "const a = <p>{isOpen ? 'Open' : null}</p>;"],
  ['text in a property', "const column = { id: 'name', header: 'Name' };"],
  ['a word that begins with a capital letter', "const shown = value ?? 'Never';"],
  ['a sentence in a variable', "const message = 'Something went wrong';"],
  ['a phrase in a variable', "const message = 'all current and future stores';"],
  ['a sentence in a template', 'const message = `Order ${code} is done`;'],
];
for (const [what, code] of planted) {
  test(`the scan finds ${what}`, () => assert.equal(textsIn('planted.tsx', code).length, 1));
}

test('the scan does not report class names, keys, codes, code examples and errors for developers', () => {
  const code = `import x from './a b.ts'; const a = <p className="big red">{text('app.name')} · {'×'}</p>; f('IN_CART', 'wake-lock');
    const b = <Tab value="curl">curl</Tab>; const c = "const headers = { a: 'Bearer x' };";
    if (key === 'Enter') throw new Error('The provider is missing.'); load('HomePage', { 'Content-Type': 'text/csv' });`;
  assert.deepEqual(textsIn('fine.tsx', code), []);
});

function readTexts(file: string): string[] {
  return textsIn(file, readFileSync(join(source, file), 'utf8'));
}

/** Texts that people would see: letters between tags and in visible attributes, words and phrases anywhere else. */
function textsIn(file: string, code: string): string[] {
  const { program } = parseSync(file, code);
  const found: { line: number; value: string }[] = [];
  const add = (start: number, value: string) =>
    found.push({ line: code.slice(0, start).split('\n').length, value: value.trim() });
  const ignored = new Set<number>();
  const visitor = new Visitor({
    ImportDeclaration: ({ source: from }) => void ignored.add(from.start),
    ImportExpression: ({ source: from }) => void ignored.add(from.start),
    NewExpression: ({ callee, arguments: [message] }) => {
      if (callee.type === 'Identifier' && callee.name === 'Error' && message) ignored.add(message.start);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && key.name.startsWith('fontFamily')) ignored.add(value.start);
    },
    JSXText: ({ start, value }) => {
      if (/\p{L}/u.test(value) && !isTechnical(value.trim())) add(start, value);
    },
    JSXAttribute: ({ name, value }) => {
      if (value?.type !== 'Literal' || typeof value.value !== 'string') return;
      ignored.add(value.start);
      const isVisible = typeof name.name === 'string' && visibleAttributes.has(name.name);
      const isLetters = /\p{L}/u.test(value.value) && !isTechnical(value.value);
      if (isVisible ? isLetters : isText(value.value)) add(value.start, value.value);
    },
    Literal: ({ start, value }) => {
      if (typeof value === 'string' && !ignored.has(start) && isText(value)) add(start, value);
    },
    TemplateLiteral: ({ start, quasis }) => {
      const value = quasis.map(({ value: part }) => part.raw).join('…');
      if (!ignored.has(start) && isSentence(value)) add(start, value);
    },
  });
  visitor.visit(program);
  return found.map(({ line, value }) => `${file}:${line} ${value}`);
}

const visibleAttributes = new Set(['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'label']);

function isText(value: string): boolean {
  if (isTechnical(value)) return false;
  return /^\p{Lu}\p{Ll}+(?![\p{L}\d-])/u.test(value) || isSentence(value) || /^\p{Ll}+(?: \p{Ll}+){2,}/u.test(value);
}

function isTechnical(value: string): boolean {
  return technicalWords.has(value) || /^https?:/.test(value);
}

/** Keys of the keyboard, names of the browser's functions, the product, the languages of code examples and an example. */
const technicalWords = new Set([
  'Enter',
  'Tab',
  'Escape',
  'Ctrl+K',
  'Aisle',
  'Notification',
  'curl',
  'TypeScript',
  'back-office',
]);

/** Two words, the first of which begins with a capital letter, but not a command or code. */
function isSentence(value: string): boolean {
  return !/^(?:curl|sftp|ssh|import|const) /.test(value) && /\p{Lu}\p{Ll}+[^\p{L}]* \S*\p{L}/u.test(value);
}
