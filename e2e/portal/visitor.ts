import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** A person at a browser. Whatever the pages log as an error is noticed. */
export type Visitor = {
  page: Page;
  /** Goes to a page of the portal and waits for its heading. */
  open(path: string, heading: string): Promise<void>;
  /** Fails unless no page has logged an error so far, those that were announced aside. */
  leave(): Promise<void>;
  /** From now on the console may complain like this: the story does something that is refused. */
  expect(complaint: RegExp): void;
};

type Look = { scheme?: 'light' | 'dark'; width?: number; memory?: BrowserContextOptions['storageState'] };

export async function visit(stage: Stage, { scheme = 'light', width = 1280, memory }: Look = {}): Promise<Visitor> {
  const context = await stage.browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    baseURL: stage.url,
    acceptDownloads: true,
    ...(memory && { storageState: memory }),
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  return {
    page,
    async open(path, heading) {
      await page.goto(`/portal${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    expect: (complaint) => void expected.push(complaint),
    async leave() {
      await context.close();
      assert.deepEqual(
        complaints.filter((text) => !expected.some((pattern) => pattern.test(text))),
        [],
      );
    },
  };
}

/** Signs in through the page, as a person does. */
export async function signIn({ page }: Visitor, who: { email: string; password: string }): Promise<void> {
  await page.goto('/portal');
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

export async function visitAsOwner(stage: Stage, look: Look = {}): Promise<Visitor> {
  if (stage.owner) return visit(stage, { ...look, memory: stage.owner });
  const visitor = await visit(stage, look);
  await signIn(visitor, stage.demo.portal);
  stage.owner = await visitor.page.context().storageState();
  return visitor;
}

/** Chooses an entry of one of the portal's own select boxes. */
export async function choose(page: Page, box: Locator, entry: string): Promise<void> {
  await box.click();
  await page.getByRole('option', { name: entry, exact: true }).click();
}

/** A notice such as "… is saved." */
export async function sees(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** Fails when a person with a screen reader, or weak eyes, would be stuck on this page. */
export async function assertAccessible(page: Page, rules?: string[]): Promise<void> {
  // Without frames, which the portal has none of, one look is enough: it takes a third of the time. What is in order is
  // not asked for.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = grave.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  );
  assert.deepEqual(found, [], page.url());
}
