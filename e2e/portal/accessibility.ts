import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Fails on accessibility violations, including minor ones. Checks all rules, or only the given ones. */
export async function assertAccessible(page: Page, rules?: string[]): Promise<void> {
  const violations = await listViolations(page, rules);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  );
  assert.deepEqual(found, [], page.url());
}

/**
 * Returns all violations. Loads axe once per document: `@axe-core/playwright` loads its 600 kB
 * twice for each check.
 */
async function listViolations(page: Page, rules?: string[]): Promise<axe.Result[]> {
  for (const frame of page.frames()) {
    if (await frame.evaluate<boolean>('"axe" in window')) continue;
    await frame.evaluate(axe.source);
    await frame.evaluate(ignorePopups);
  }
  await page.evaluate(finishTransitions);
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const script = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  return page.evaluate<axe.Result[]>(script);
}

/** Menus and tooltips are shown next to what opened them, outside of the landmarks of the page. */
const ignorePopups = `axe.configure({ rules: [{ id: 'region', selector: 'body *:not([data-portal], [data-portal] *)' }] })`;

/** Colors change gradually, for example from light to dark mode. Animations that never end are not waited for. */
const finishTransitions = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished)).then(() => {})`;
