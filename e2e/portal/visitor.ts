import assert from 'node:assert/strict';
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Locator, Page } from 'playwright-core';
import type { Owner, Stage } from './stage.ts';

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
  storage?: BrowserContextOptions['storageState'] | undefined;
  /** The language and region of the browser. */
  locale?: string;
  /** Uses a browser context of its own, for tests that change its clock. */
  isAlone?: boolean;
  /** A page that is being taken over by a service worker sends requests that tests cannot intercept, even offline. */
  serviceWorkers?: 'block';
};

export async function visit(stage: Stage, options: Options = {}): Promise<Visitor> {
  const context = await newContext(stage, options);
  return visitOn(await context.newPage(), stage, () => context.close());
}

async function newContext(stage: Stage, options: Options): Promise<BrowserContext> {
  const { scheme = 'light', width = 1280, storage, locale, serviceWorkers } = options;
  const context = await stage.browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    baseURL: stage.url,
    acceptDownloads: true,
    ...(storage && { storageState: storage }),
    ...(locale && { locale }),
    ...(serviceWorkers && { serviceWorkers }),
  });
  // A page takes a second, or many times as long if other programs use the processors.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(removeEffects);
  return context;
}

/** Runs in every page. Without a graphics processor, a frame with a blurred background takes 80 ms. */
const removeEffects = `{
  const sheet = new CSSStyleSheet();
  const none = ['backdrop-filter', 'animation', 'transition'].map((name) => name + ': none !important').join(';');
  sheet.replaceSync('*, *::before, *::after {' + none + '}');
  document.adoptedStyleSheets.push(sheet);
}`;

async function visitOn(page: Page, stage: Stage, end: () => Promise<void>): Promise<Visitor> {
  const consoleErrors: string[] = [];
  const expected: RegExp[] = [];
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === 'error') consoleErrors.push(`${message.text()} (${message.location().url})`);
  };
  const onError = (error: Error) => void consoleErrors.push(String(error.stack ?? error));
  page.on('console', onMessage).on('pageerror', onError);
  return {
    page,
    async open(path, heading) {
      const url = new URL(`/portal${path}`, stage.url);
      const hasMoved = hasOtherPage(page, url) && (await tryMoveTo(page, `/portal${path}`));
      if (!hasMoved) await page.goto(`/portal${path}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    },
    expectError: (pattern) => void expected.push(pattern),
    async leave() {
      await end();
      page.off('console', onMessage).off('pageerror', onError);
      assert.deepEqual(
        consoleErrors.filter((text) => !expected.some((pattern) => pattern.test(text))),
        [],
      );
    },
  };
}

/** Whether a page of another kind of the portal is open, so that a link would replace the whole page. */
function hasOtherPage(page: Page, next: URL): boolean {
  const shown = new URL(page.url());
  const kindOf = ({ pathname }: URL) => pathname.replace(/\/[^/]*\d[^/]*$/, '/id');
  return shown.origin === next.origin && /^\/portal(\/|$)/.test(shown.pathname) && kindOf(shown) !== kindOf(next);
}

/** Signs in through the form. */
export async function signIn({ page }: Visitor, who: { email: string; password: string }): Promise<void> {
  await page.goto('/portal');
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

export const goodPassword = 'seven purple trams';

/** Chooses a password on the page that an invitation link opens, which signs the user in. */
export async function acceptInvitation(page: Page, link: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(goodPassword);
  await page.getByLabel('Confirm new password').fill(goodPassword);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

/**
 * Visits as the owner, who signs in only once. Visits one after the other share a browser window, in which the scripts
 * are loaded and compiled already. The first visit starts on the home page, the others on an empty one.
 */
export async function visitAsOwner(stage: Stage, options: Options = {}): Promise<Visitor> {
  const { owner } = stage;
  const isShared = !owner.isVisiting && !options.locale && !options.isAlone;
  const visitor = await (isShared ? visitShared(stage, options) : visit(stage, { ...options, storage: owner.storage }));
  if (!owner.storage) {
    await signIn(visitor, stage.demo.portal);
    owner.storage = await visitor.page.context().storageState();
  }
  return visitor;
}

async function visitShared(stage: Stage, { scheme = 'light', width = 1280 }: Options): Promise<Visitor> {
  const { owner } = stage;
  owner.page ??= await newContext(stage, { storage: owner.storage }).then((context) => context.newPage());
  const { page } = owner;
  owner.isVisiting = true;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  return visitOn(page, stage, () => leaveShared(owner, page));
}

/** Leaves the window as it was after the owner had signed in. */
async function leaveShared(owner: Owner, page: Page): Promise<void> {
  const { cookies = [], origins = [] } = owner.storage ?? {};
  await page.evaluate(
    restoreStorage,
    origins.flatMap(({ localStorage }) => localStorage),
  );
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.context().clearPermissions();
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  owner.isVisiting = false;
}

/** Runs in the page. */
function restoreStorage(items: { name: string; value: string }[]): void {
  const { localStorage, sessionStorage } = globalThis as unknown as Record<string, Storage>;
  sessionStorage?.clear();
  localStorage?.clear();
  for (const { name, value } of items) localStorage?.setItem(name, value);
}

/** Opens another page as a link would, which takes a fraction of the time of loading it. */
export async function moveTo(page: Page, path: string): Promise<void> {
  assert.ok(await tryMoveTo(page, path), `${page.url()} has no heading yet.`);
}

/** Returns false, and changes nothing, if the page has no heading (yet) that would show when it is replaced. */
async function tryMoveTo(page: Page, path: string): Promise<boolean> {
  const hasMoved = await page.evaluate<boolean>(`(() => {
    const heading = document.querySelector('main h1');
    if (!heading) return false;
    heading.dataset.left = '';
    history.pushState({}, '', '${path}');
    return true;
  })()`);
  if (hasMoved) await page.locator('main h1:not([data-left])').waitFor();
  return hasMoved;
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
