import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
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
    await frame.evaluate(axeSource);
    await frame.evaluate(configureAxe);
  }
  await page.evaluate(finishTransitions);
  for (const frame of page.frames()) await frame.evaluate(markDistinctColors);
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const script = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  return page.evaluate<axe.Result[]>(script);
}

/** Loads faster than the source that the package exports. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Menus and tooltips are shown next to what opened them, outside of the landmarks of the page. Contrast takes most of
 * the time, so it is checked once for texts that look the same.
 */
const configureAxe = `axe.configure({ rules: [
  { id: 'region', selector: 'body *:not([data-portal], [data-portal] *)' },
  { id: 'color-contrast', selector: '[data-distinct-colors]' },
] })`;

/** Marks the first visible element of each combination of what a contrast depends on. Axe ignores single characters. */
const markDistinctColors = `{
  for (const element of document.querySelectorAll('[data-distinct-colors]')) delete element.dataset.distinctColors;
  const backgrounds = new Map();
  const backgroundsOf = (element) => {
    if (!element) return '';
    if (!backgrounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      backgrounds.set(element, backgroundsOf(element.parentElement) + '<' + [backgroundColor, backgroundImage, opacity]);
    }
    return backgrounds.get(element);
  };
  const seen = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const isDisabled = element.closest(':disabled, [aria-disabled=true]') !== null;
    const isControl = /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    const look = [element.tagName, color, fontSize, fontWeight, textShadow, isDisabled, backgroundsOf(element)].join('|');
    const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim().length > 1);
    if ((!hasText && !isControl) || seen.has(look)) continue;
    seen.add(look);
    element.dataset.distinctColors = '';
  }
}`;

/** Colors change gradually, for example from light to dark mode. Animations that never end are not waited for. */
const finishTransitions = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished)).then(() => {})`;
