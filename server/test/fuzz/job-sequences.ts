import { routes as contract } from '@aisle/contract/index';
import { newId } from '../../src/kernel/values/ids.ts';
import { waitFor } from '../support/wait.ts';
import { type Round, send, type Step } from './round.ts';

/** Uploads, waits for the job, and downloads its file with a token and with a signed link. */
export async function uploadAndDownload(round: Round): Promise<void> {
  const { random, chain } = round;
  const sku = `FUZZ-${random.pick(['a', 'b', 'c'])}`;
  const product = { sku, title: { en_AE: 'Fuzz' }, price: 3.5, barcode: '2000000000145', categories: ['dairy'] };
  const update = {
    products: [
      { sku, price: 4 },
      { sku: 'MLK-00012', quantity: 7 },
      { sku: 'MLK-99999', price: 1 },
    ],
  };
  const uploads: [string, Step][] = [
    ['createStoreProducts', { body: { products: [product, { ...product, sku: 'MLK-00013' }] } }],
    ['createChainProducts', { body: { products: [product], vendors: random.pick([['*'], chain.vendors]) } }],
    ['updateCatalog', { body: update, headers: { prefer: 'respond-async' } }],
    ['exportCatalog', {}],
  ];
  for (const [id, step] of uploads) {
    if (random.isLikely(0.3)) continue;
    const { status, body } = await send(round, id, step);
    if (status !== 202) continue;
    await readJob(round, 'CatalogJob', body.job_id);
  }
  const { example } = contract.uploadFile.body;
  await send(round, 'uploadFile', {
    query: '?folder=/catalog/all&name=fuzz.csv',
    body: example,
    headers: { 'content-type': 'text/csv' },
  });
  await send(round, 'listCatalogJobs');
  const page = await send(round, 'listChainProducts', { query: '?limit=1' });
  const cursor = encodeURIComponent(String(page.body.next_cursor));
  if (page.status === 200) await send(round, 'listChainProducts', { query: `?limit=2&cursor=${cursor}` });
}

/** Previews an update, applies and reverts it, schedules another one and cancels it. */
export async function previewAndRevert(round: Round): Promise<void> {
  const { random } = round;
  const products = [{ sku: 'MLK-00012', price: random.pick([1, 2, 5, 900]) }, { sku: 'MLK-99999' }];
  const preview = await send(round, 'updateCatalog', { body: { products }, query: '?dry_run=true' });
  if (preview.status === 202) {
    const params = { job_id: preview.body.job_id };
    await readJob(round, 'CatalogJob', params.job_id);
    await send(round, 'getCatalogPreview', { params, query: random.pick(['', '?class=ERROR', '?page=2&page_size=1']) });
    const applied = await send(round, 'applyCatalogPreview', { params, body: {} });
    if (applied.status === 202) {
      await readJob(round, 'CatalogJob', applied.body.job_id);
      const reverted = { job_id: applied.body.job_id };
      await send(round, 'revertCatalogJob', { params: reverted, body: random.pick([{}, { skus: ['MLK-00012'] }]) });
    }
  }
  const apply_at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await send(round, 'updateCatalog', { body: { products }, query: `?apply_at=${apply_at}` });
  if (scheduled.status === 202) await send(round, 'cancelCatalogJob', { params: { job_id: scheduled.body.job_id } });
  await send(round, 'listProductHistory', { query: '?sku=MLK-00012' });
}

/** Waits for the job and downloads its file. */
export async function readJob(round: Round, kind: 'CatalogJob' | 'PromotionJob', jobId: string): Promise<void> {
  const params = { job_id: jobId };
  let job = await send(round, `get${kind}`, { params });
  await waitFor(
    `job ${jobId}`,
    async () => {
      const isOpen = job.status === 200 && !['COMPLETED', 'FAILED'].includes(job.body.job_status);
      if (isOpen) job = await send(round, `get${kind}`, { params });
      return !isOpen;
    },
    60,
    50,
  );
  for (const accept of ['text/csv', 'application/json', 'application/x-ndjson']) {
    await send(round, `download${kind}`, { params, headers: { accept } });
  }
  const link = job.body.download_url;
  if (typeof link !== 'string' || !link.includes('?')) return;
  const query = new URL(link).search;
  await send(round, `download${kind}`, { params, query, token: undefined });
  await send(round, `download${kind}`, { params, query: query.replace(/.$/, '!'), token: undefined });
  await send(round, `download${kind}`, { params: { job_id: newId() }, query, token: undefined });
}
