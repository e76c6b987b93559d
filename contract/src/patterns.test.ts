import assert from 'node:assert/strict';
import test from 'node:test';
import { pathParameters } from './common.ts';
import * as events from './events.ts';
import { routes } from './index.ts';
import { PromotionHeader } from './promotion.ts';

type Found = { at: string; hint: unknown };

test('every pattern has a hint that says in plain words what is allowed', () => {
  const found = findPatterns({ routes, pathParameters, events, PromotionHeader }, 'contract', new Set());
  assert.ok(found.length > 20, 'the scan found too few patterns');
  for (const { at, hint } of found) {
    assert.ok(typeof hint === 'string' && hint.startsWith('must '), `${at} has no patternHint`);
    assert.doesNotMatch(hint, /\^|\\|\$|\[|\{\d/, at);
  }
});

/** Finds schemas with a pattern, and record schemas whose keys must match one. */
function findPatterns(value: unknown, at: string, seen: Set<object>): Found[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const schema = value as Record<string, unknown>;
  const isStrictRecord = schema['patternProperties'] !== undefined && schema['additionalProperties'] === false;
  const own = typeof schema['pattern'] === 'string' || isStrictRecord ? [{ at, hint: schema['patternHint'] }] : [];
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => findPatterns(inner, `${at}/${name}`, seen))];
}
