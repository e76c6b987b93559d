import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortStoreName } from './short-store-name.ts';

test('the short name of a store leaves out the name of its chain', () => {
  assert.equal(shortStoreName('Saltbush Market, Dubai Marina', 'Saltbush Market'), 'Dubai Marina');
  assert.equal(shortStoreName('saltbush market – Jumeirah', 'Saltbush Market'), 'Jumeirah');
});

test('a store name that does not start with the name of the chain is not shortened', () => {
  assert.equal(shortStoreName('Dubai Marina', 'Saltbush Market'), 'Dubai Marina');
  assert.equal(shortStoreName('Saltbush Market', 'Saltbush Market'), 'Saltbush Market');
  assert.equal(shortStoreName('Saltbush Marketplace', 'Saltbush Market'), 'Saltbush Marketplace');
});
