import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '@aisle/contract/route';
import { sftpScopes } from '@aisle/contract/sftp';
import {
  acceptExport,
  acceptUpdate,
  createProductsNow,
  putCategories,
  readUpdate,
  setPictures,
} from '../catalog/index.ts';
import type { Config, Links } from '../config.ts';
import {
  createClient,
  createPlatformUser,
  createToken,
  createUser,
  makeSecret,
  makeSecretForEmail,
  createVendor,
  deleteCredentialsNamed,
  deletePlatformTokensNamed,
  deleteUser,
  findChain,
  findCredential,
  findPlatformUser,
  findUserByEmail,
  insertChain,
  insertPlatformToken,
  newToken,
  platformId,
  tokenHash,
} from '../identity/index.ts';
import type { Database, Tx } from '../kernel/database/db.ts';
import { derivedId } from '../kernel/values/ids.ts';
import { createSftpUser, deleteSftpUsersNamed, publicSftpAddress } from '../sftp/index.ts';
import { demoCategories } from '@aisle/demo/categories';
import { demoOffer } from '@aisle/demo/offers';
import { demoProducts } from '@aisle/demo/products';
import { demoChain, demoStores } from '@aisle/demo/stores';
import { type DemoShelf, seedOrders } from './orders.ts';
import { picturePath } from './pictures.ts';
import { lockDemo } from './queries.ts';
import { seedPromotions } from './seed-promotions.ts';

/** The content of `demo.json` in the data folder; other programs rely on its field names. */
export type DemoFile = {
  base_url: string;
  chain_id: string;
  vendors: { vendor_id: string; external_id: string; name: string; currency: string }[];
  api_token: string;
  client_id: string;
  client_secret: string;
  platform_token: string;
  portal: { url: string; email: string; password: string };
  console: { url: string; email: string; password: string };
  /** The address and the fingerprint are null if the SFTP server is off. */
  sftp: SftpCredentials & { host: string | null; port: number | null; fingerprint: string | null };
};

type SftpCredentials = { username: string; password: string };

export const demoChainId = derivedId('aisle', 'demo chain');
const email = 'demo@aisle.example';
const operatorEmail = 'operator@aisle.example';

/** Creates the demo chain once and writes its credentials to a file. If the file is lost, creates new credentials. */
export async function seedDemo(
  db: Database,
  config: Config,
  print: (sentence: string) => void,
  sftpFingerprint: string | undefined,
) {
  const file = join(config.dataDir, 'demo.json');
  const known = readDemoFile(file);
  const credentials = await db.transaction(async (tx) => {
    await lockDemo(tx);
    const isSeeded = (await findChain(tx, demoChainId)) !== undefined;
    if (!isSeeded) {
      print('Filling the demo chain with stores and products …');
      await seedChain(tx, config.links);
    }
    const isCurrent = isSeeded && known !== undefined && (await isLive(tx, known));
    const found = isCurrent ? known : await createCredentials(tx, config.passwordCost);
    // A file from an older version has no SFTP user, and no user of the console.
    const operator = (isCurrent && known.console) || (await createOperator(tx, config.passwordCost));
    return {
      ...found,
      console: operator,
      sftp: (isCurrent && known.sftp) || (await createSftpCredentials(tx, config.passwordCost)),
    };
  });
  const content: DemoFile = {
    base_url: config.links.publicUrl,
    chain_id: demoChainId,
    vendors: demoStores.map(({ vendor_id, external_id, name, currency }) => ({
      vendor_id,
      external_id,
      name,
      currency,
    })),
    api_token: credentials.api_token,
    client_id: credentials.client_id,
    client_secret: credentials.client_secret,
    platform_token: credentials.platform_token,
    portal: { ...credentials.portal, url: config.links.portal },
    console: { ...credentials.console, url: config.links.console },
    sftp: { ...sftpAddress(config, sftpFingerprint), ...pick(credentials.sftp) },
  };
  writeDemoFile(config.dataDir, file, content);
  return { file, content };
}

async function seedChain(tx: Tx, links: Links): Promise<void> {
  await insertChain(tx, demoChainId, demoChain);
  for (const { vendor_id, ...store } of demoStores) {
    const settings = { integration_type: 'PICKING', integration_enabled: true, test: true };
    await createVendor(tx, demoChainId, { ...store, settings }, vendor_id);
  }
  await putCategories(
    tx,
    demoChainId,
    demoCategories.map(({ name, description, ...category }) => ({
      ...category,
      details: { name, ...(description && { description }) },
    })),
  );
  const products = demoProducts();
  for (const store of demoStores) {
    const carried = products.flatMap((product) => {
      const offer = demoOffer(product, store);
      return offer ? [{ ...product, ...offer }] : [];
    });
    await createProductsNow(tx, demoChainId, store, carried);
  }
  await setPictures(tx, demoChainId, picturePath);
  await seedJobs(tx);
  await seedPromotions(tx, demoChainId, new Date());
  await seedOrders(tx, demoChainId, demoStores.map(shelfOf), links, new Date());
}

/** The products that can be ordered at a store. */
function shelfOf(store: (typeof demoStores)[number]): DemoShelf {
  const products = demoProducts().filter((product) => {
    const offer = demoOffer(product, store);
    return offer !== null && offer.active && offer.maximum_sales_quantity === null && (offer.quantity ?? 99) > 20;
  });
  return { vendor_id: store.vendor_id, products };
}

/** Creates example jobs: a successful update, one with failures, and an export. */
async function seedJobs(tx: Tx): Promise<void> {
  const [first, second] = demoStores;
  if (!first || !second) return;
  const stock = carriedSkus(first, 40).map((sku, index) => ({ sku, quantity: 10 + index }));
  const [sku, badPrice, badStock, nothing] = carriedSkus(second, 4);
  const flawed = [
    { sku, active: true },
    { sku: badPrice, price: '4.95' },
    { sku: 'NO-SUCH-SKU', price: 1 },
    { sku: badStock, quantity: -1 },
    { sku: nothing },
  ];
  await seedUpdate(tx, first.vendor_id, stock);
  await seedUpdate(tx, second.vendor_id, flawed);
  await acceptExport(tx, demoChainId, first.vendor_id, demoOrigin);
}

const demoOrigin = { by: 'demo', name: 'Demo', channel: 'api', address: '127.0.0.1' } as const;

async function seedUpdate(tx: Tx, vendorId: string, products: unknown[]): Promise<void> {
  const plan = readUpdate({ products }, { maxItems: 100, single: false, isLimited: false });
  if (plan.kind === 'bulk') await acceptUpdate(tx, demoChainId, vendorId, plan, { origin: demoOrigin });
}

function carriedSkus(store: (typeof demoStores)[number], count: number): string[] {
  const carried = demoProducts().filter((product) => demoOffer(product, store) !== null);
  return carried.slice(0, count).map((product) => product.sku);
}

type Credentials = Omit<DemoFile, 'base_url' | 'chain_id' | 'vendors' | 'sftp' | 'console'>;

async function createCredentials(tx: Tx, passwordCost: number): Promise<Credentials> {
  const name = 'Demo';
  await deleteCredentialsNamed(tx, demoChainId, name);
  await deletePlatformTokensNamed(tx, name);
  const user = await findUserByEmail(tx, demoChainId, email);
  if (user) await deleteUser(tx, demoChainId, user.user_id);
  const platformToken = newToken('platform');
  await insertPlatformToken(tx, tokenHash(platformToken), name);
  const { token } = await createToken(tx, demoChainId, { name, scopes }, 1000);
  const client = await createClient(tx, demoChainId, { name, scopes }, 1000);
  const owner = { email, name: 'Demo owner', role: 'OWNER' };
  const secret = await makeSecretForEmail(tx, demoChainId, owner, passwordCost);
  const { password = '' } = await createUser(tx, demoChainId, owner, secret);
  return {
    api_token: token,
    client_id: client.client_id,
    client_secret: client.client_secret,
    platform_token: platformToken,
    portal: { url: '', email, password },
  };
}

async function createOperator(tx: Tx, cost: number): Promise<DemoFile['console']> {
  const known = await findPlatformUser(tx, operatorEmail);
  if (known) await deleteUser(tx, platformId, known.user_id);
  const secret = await makeSecret(platformId, cost);
  const user = { email: operatorEmail, name: 'Demo operator', role: 'ADMIN', invite: false } as const;
  await createPlatformUser(tx, user, secret);
  return { url: '', email: operatorEmail, password: secret.password ?? '' };
}

async function createSftpCredentials(tx: Tx, cost: number): Promise<SftpCredentials> {
  const name = 'demo';
  await deleteSftpUsersNamed(tx, demoChainId, name);
  const secret = await makeSecret(demoChainId, cost);
  const user = await createSftpUser(tx, demoChainId, { name, scopes: sftpScopes }, { maxUsers: 1000, secret });
  return { username: user.username, password: user.password ?? '' };
}

function pick({ username, password }: SftpCredentials): SftpCredentials {
  return { username, password };
}

function sftpAddress(config: Config, fingerprint: string | undefined) {
  if (fingerprint === undefined || config.sftp.port === null) return { host: null, port: null, fingerprint: null };
  return { ...publicSftpAddress(config, config.sftp.port), fingerprint };
}

/**
 * Whether the file belongs to this database. It does not if the data folder was copied or the database was recreated.
 */
async function isLive(tx: Tx, known: DemoFile): Promise<boolean> {
  const credential = await findCredential(tx, tokenHash(known.api_token));
  return credential?.chain_id === demoChainId && !credential.is_revoked;
}

function readDemoFile(file: string): DemoFile | undefined {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
    return content.chain_id === demoChainId && content.portal && content.client_secret ? content : undefined;
  } catch {
    return undefined;
  }
}

function writeDemoFile(folder: string, file: string, content: DemoFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
