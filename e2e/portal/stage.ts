import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import type { AisleClient } from '@aisle/sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { DemoFile } from '../../server/src/demo/index.ts';
import { generateKey } from '../../server/src/sftp/host-key.ts';
import { cloneDatabase, demoTemplateName } from '../../server/test/support/database.ts';
import { launchBrowser } from '../support/browser.ts';
import { clientOf } from '../support/client.ts';
import { makeFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';

/** A running server with the demo chain and its own database, and a browser, shared by all tests in a process. */
export type Stage = {
  browser: Browser;
  url: string;
  databaseUrl: string;
  demo: DemoFile;
  /** A client of the demo chain. */
  client: AisleClient;
  owner: Owner;
};

/** The owner of the demo chain, for `visitAsOwner`. */
export type Owner = {
  /** The browser storage after the sign-in, so that further visits do not have to sign in. */
  storage?: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** Shared by visits one after the other. */
  page?: Page;
  isVisiting: boolean;
};

let shared: Promise<Stage> | undefined;

/** Starts everything at the first call, and stops it after the last test of the caller. */
export function setStage(): Promise<Stage> {
  shared ??= startStage();
  return shared;
}

async function startStage(): Promise<Stage> {
  const { folder, remove } = makeFolder();
  const database = await cloneDatabase(demoTemplateName);
  const environment = {
    DATABASE_URL: database.url,
    AISLE_DEMO: 'on',
    AISLE_DATA_DIR: folder,
    AISLE_RATE_LIMITS: 'off',
    // A page that waits longer for its turn gets 503, which happens if other tests use the processors.
    AISLE_LOCK_SECONDS: '60',
    AISLE_LOG_LEVEL: 'warn',
    AISLE_WEBHOOK_ALLOW: 'loopback',
    AISLE_SECRET_KEY: randomBytes(32).toString('base64'),
    AISLE_SFTP_PORT: '0',
    AISLE_SFTP_HOST_KEY: generateKey(),
  };
  const aisle = await startProgram({ folder, environment });
  const browser = await launchBrowser();
  after(async () => {
    await browser.close();
    await aisle.stop().catch(() => aisle.kill('SIGKILL'));
    await database.drop();
    remove();
  });
  const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoFile;
  const client = clientOf(aisle, { token: demo.api_token, chainId: demo.chain_id });
  return { browser, url: aisle.url, databaseUrl: database.url, demo, client, owner: { isVisiting: false } };
}
