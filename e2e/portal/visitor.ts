import assert from 'node:assert/strict';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Stage } from './stage.ts';

/** A user with a browser window. Console errors are recorded. */
export type Visitor = {
  page: Page;
  /** Goes to a portal page and waits for its heading. */
  open(path: string, heading: string): Promise<void>;
  /** Closes the browser window, and fails if a page has logged an unexpected error. */
  leave(): Promise<void>;
  /** Allows console errors that match the pattern, for tests that provoke them. */
  expectError(pattern: RegExp): void;
};

type Options = {
  scheme?: 'light' | 'dark';
  width?: number;
  storage?: BrowserContextOptions['storageState'];
  /** The language and region of the browser. */
  locale?: string;
};

export async function visit(stage: Stage, options: Options = {}): Promise<Visitor> {
  const { scheme = 'light', width = 1280, storage, locale } = options;
  const context = await stage.browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    baseURL: stage.url,
    acceptDownloads: true,
    ...(storage && { storageState: storage }),
    ...(locale && { locale }),
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => consoleErrors.push(String(error.stack ?? error)));
  return {
    page,
    async open(path, heading) {
      await page.goto(`/portal${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    expectError: (pattern) => void expected.push(pattern),
    async leave() {
      await context.close();
      assert.deepEqual(
        consoleErrors.filter((text) => !expected.some((pattern) => pattern.test(text))),
        [],
      );
    },
  };
}

/** Signs in through the form. */
export async function signIn({ page }: Visitor, who: { email: string; password: string }): Promise<void> {
  await page.goto('/portal');
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

export async function visitAsOwner(stage: Stage, options: Options = {}): Promise<Visitor> {
  if (stage.owner) return visit(stage, { ...options, storage: stage.owner });
  const visitor = await visit(stage, options);
  await signIn(visitor, stage.demo.portal);
  stage.owner = await visitor.page.context().storageState();
  return visitor;
}

/** Opens another page as a link would, which takes a fraction of the time of loading it. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`document.querySelector('main h1').dataset.left = ''; history.pushState({}, '', '${path}')`);
  await page.locator('main h1:not([data-left])').waitFor();
}

/** Waits until no placeholder is left. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** Selects an option in a Mantine select. */
export async function choose(page: Page, box: Locator, entry: string): Promise<void> {
  await box.click();
  await page.getByRole('option', { name: entry, exact: true }).click();
}

/** Waits until the page shows the given text, such as "… saved." */
export async function waitForText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}
