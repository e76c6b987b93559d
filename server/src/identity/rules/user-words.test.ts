import assert from 'node:assert/strict';
import test from 'node:test';
import { listUserWords } from './user-words.ts';

test('the words are the email address, the name and their parts', () => {
  assert.deepEqual(listUserWords({ email: 'noor.al-amin@palm.example', name: 'Noor Al Amin' }), [
    'noor.al-amin@palm.example',
    'noor al amin',
    'noor',
    'amin',
    'palm',
    'example',
  ]);
});

test('a name of a hundred words does not make the check of a password slower', () => {
  const letters = listUserWords({ email: 'noor@palm.example', name: 'a b '.repeat(50).trim() });
  assert.deepEqual(letters.slice(2), ['noor', 'palm', 'example']);
  const name = Array.from({ length: 50 }, (_, index) => `w${index + 100}`).join(' ');
  assert.equal(listUserWords({ email: 'noor@palm.example', name }).length, 10);
});
