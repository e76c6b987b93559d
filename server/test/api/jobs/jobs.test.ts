import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Response, makeChain, makeToken } from '../../support/aisle.ts';
import {
  catalogPath,
  addProducts,
  plainProducts,
  putProducts,
  readProduct,
  runUpdate,
  sendUpdate,
  waitForJob,
} from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';
import { startWithoutWorker } from '../../support/waiting-jobs.ts';

const { aisle, chain, store, otherStore, get, readJob, withWorker, startExport, startCreation, whileLocked } =
  await startWithoutWorker();

function readEvents(jobId: string): Promise<{ type: string; vendor_id: string; body: Response['body'] }[]> {
  return aisle.db.query(`select type, vendor_id, body from events where body ->> 'job_id' = $1`, [jobId]);
}

test('an accepted job is QUEUED and survives the shutdown of the server that accepted it', async () => {
  const front = await aisle.another();
  const { status, body } = await putProducts(front, chain, [
    { sku: 'SKU-00001', price: 10 },
    { sku: 'SKU-00002', price: 10 },
  ]);
  await front.stop();
  assert.equal(status, 202);
  assert.deepEqual(Object.keys(body).toSorted(), ['job_id', 'job_status']);
  assert.equal(body.job_status, 'QUEUED');

  const { created_at, updated_at, ...job } = await readJob(body.job_id);
  assert.deepEqual(job, {
    job_id: body.job_id,
    job_status: 'QUEUED',
    job_type: 'CATALOG_UPDATE',
    vendor_id: store,
    created_by: { name: 'all', channel: 'api', address: '127.0.0.1' },
    progress: { total: 2, processed: 0, succeeded: 0, unchanged: 0, failed: 0 },
    result: { item_level_feedback: [], duplicated_products: [] },
  });
  for (const time of [created_at, updated_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const file = await get(`/${body.job_id}/download`);
  assert.deepEqual([file.status, file.body.code], [404, 'file_not_found']);
  assert.deepEqual(await readEvents(body.job_id), []);
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 1);

  const ended = await withWorker(() => waitForJob(aisle, chain, body.job_id));
  assert.equal(ended.job_status, 'COMPLETED');
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 10);
});

test('a running job is IN_PROGRESS, and its event is recorded when the job finishes', async () => {
  await withWorker(async () => {
    const jobId = await whileLocked('SKU-00001', async () => {
      const queued = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 11 }]);
      await waitFor('the job to start', async () => (await readJob(queued)).job_status === 'IN_PROGRESS', 30);
      assert.deepEqual(await readEvents(queued), []);
      assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 10);
      return queued;
    });
    assert.equal((await waitForJob(aisle, chain, jobId)).job_status, 'COMPLETED');
    assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 11);
    assert.equal((await readEvents(jobId)).length, 1);
  });
});

test('a completed job has the number of items for each outcome and lists the failed items', async () => {
  await withWorker(async () => {
    const { created_at, updated_at, ...job } = await runUpdate(aisle, chain, [
      { sku: 'SKU-00003', price: 5 },
      { sku: 'SKU-00003', price: 6 },
      { sku: 'SKU-00004', price: 1 },
      { sku: 'NOWHERE', price: 1 },
      { sku: 'SKU-00005', quantity: 'many', price: -1 },
      { active: true },
    ]);
    assert.ok(updated_at >= created_at);
    const { download_url } = job;
    assert.ok(download_url.startsWith(`http://aisle.test${chain.base}/catalog/jobs/${job.job_id}/download?signature=`));
    const failed = (sku: string | null, code: string, rejected_data: string | null, rejected_reason: string) => ({
      sku,
      vendor_id: store,
      status: 'FAILED',
      code,
      rejection_reasons: [{ rejected_data, rejected_reason }],
    });
    assert.deepEqual(job, {
      job_id: job.job_id,
      job_status: 'COMPLETED',
      job_type: 'CATALOG_UPDATE',
      vendor_id: store,
      created_by: { name: 'all', channel: 'api', address: '127.0.0.1' },
      progress: { total: 6, processed: 6, succeeded: 1, unchanged: 2, failed: 3 },
      download_url,
      result: {
        item_level_feedback: [
          failed('NOWHERE', 'product_not_found', 'NOWHERE', 'The vendor has no product with this SKU.'),
          failed(
            'SKU-00005',
            'out_of_range',
            '-1',
            'price must be a number from 0 to 9999999.999; quantity must be a whole number from 0 to 2147483647, or null.',
          ),
          failed(null, 'missing', null, 'sku must be a string of 1 to 64 characters.'),
        ],
        duplicated_products: [],
        download_url,
      },
    });
  });
});

test('feedback lists at most 1,000 failures, wherever they occur in the request', async () => {
  const many = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index));
  const items = [
    ...many(600, (index) => ({ sku: `AAA-${index}`, price: 1 })),
    ...many(20_000, () => ({ sku: 'SKU-00006', price: 1 })),
    ...many(650, (index) => ({ sku: `ZZZ-${index}`, price: 'x' })),
  ];
  const job = await withWorker(() => runUpdate(aisle, chain, items));
  assert.equal(job.progress.failed, 1250);
  assert.equal(job.result.item_level_feedback.length, 1000);
});

test('a job is FAILED if every item failed, and its event has the same status', async () => {
  const job = await withWorker(() => runUpdate(aisle, chain, [{ sku: 'NOWHERE', price: 1 }]));
  assert.deepEqual([job.job_status, job.error], ['FAILED', 'All items failed; the result file has the reasons.']);
  const [event] = await readEvents(job.job_id);
  assert.deepEqual([event?.body.status, event?.body.job_status, event?.body.error], ['FAILED', 'FAILED', job.error]);
});

test('jobs of every type can be read through the same route, and their events match the responses', async () => {
  await withWorker(async () => {
    const updated = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 81 }, {}]);
    const exported = await startExport(otherStore);
    const created = await startCreation([store, otherStore], [{ sku: 'CREATED', title: 'Created', price: 1 }]);
    const path = catalogPath(chain, otherStore);
    const body = { products: [{ sku: 'CREATED', title: 'Created', price: 1 }] };
    const createdInStore = (await aisle.call('POST', path, { token: chain.token, body })).body.job_id;
    const expected: [string, string, string, string | undefined][] = [
      [updated, 'CATALOG_UPDATE', 'catalog.job_finished', store],
      [exported, 'CATALOG_EXPORT', 'catalog.export_finished', otherStore],
      [created, 'PRODUCT_CREATION', 'catalog.job_finished', undefined],
      [createdInStore, 'PRODUCT_CREATION', 'catalog.job_finished', otherStore],
    ];
    for (const [jobId, jobType, eventType, vendorId] of expected) {
      const job = await waitForJob(aisle, chain, jobId);
      assert.deepEqual([job.job_status, job.job_type, job.vendor_id], ['COMPLETED', jobType, vendorId]);
      const events = await readEvents(jobId);
      const download = `http://aisle.test${chain.base}/catalog/jobs/${jobId}/download`;
      assert.deepEqual(events, [
        {
          type: eventType,
          vendor_id: vendorId ?? null,
          body: {
            job_id: jobId,
            job_type: jobType,
            status: 'COMPLETED',
            job_status: 'COMPLETED',
            ...(vendorId !== undefined && { platform_vendor_id: vendorId, vendor_id: vendorId }),
            chain_id: chain.chainId,
            downloadURL: download,
            download_url: download,
            progress: job.progress,
            result: { ...job.result, download_url: download },
          },
        },
      ]);
    }
  });
});

test("a job's event is written in the transaction that finishes the job", async () => {
  const job = await withWorker(() => runUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 82 }]));
  // Each timestamp is the start time of its transaction, so equal timestamps mean the same transaction.
  const writers = await aisle.db.query<{ job: string; event: string }>(
    `select j.updated_at::text as job, e.created_at::text as event from jobs j
     join events e on e.chain_id = j.chain_id and e.job_id = j.job_id where j.job_id = $1`,
    [job.job_id],
  );
  assert.equal(writers.length, 1);
  assert.equal(writers[0]?.event, writers[0]?.job);
});

test('a single update is not a job and has no event', async () => {
  const count = () =>
    aisle.db.query('select (select count(*) from jobs) as jobs, (select count(*) from events) as events');
  const counted = await count();
  assert.equal((await putProducts(aisle, chain, [{ sku: 'SKU-00001', price: 83 }])).status, 200);
  assert.deepEqual(await count(), counted);
});

test('jobs are listed newest first, in pages, and can be filtered by status and type', async () => {
  const listed = await makeChain(aisle);
  await addProducts(aisle, listed, plainProducts(1));
  const list = async (query: string) => {
    const { status, text, body } = await aisle.call('GET', `${listed.base}/catalog/jobs${query}`, {
      token: listed.token,
    });
    assert.equal(status, 200, text);
    return body;
  };
  const ids = (body: Response['body']) => body.jobs.map((job: { job_id: string }) => job.job_id);
  assert.deepEqual(await list(''), { jobs: [], page_number: 1, page_size: 20, total_pages: 0, total_items: 0 });

  const completed = await sendUpdate(aisle, listed, [{ sku: 'SKU-00001', price: 2 }]);
  const failed = await sendUpdate(aisle, listed, [{ sku: 'NOWHERE', price: 2 }]);
  const post = async (path: string, body?: unknown) =>
    (await aisle.call('POST', path, { token: listed.token, body })).body.job_id;
  const exported = await post(`${catalogPath(listed)}/export`);
  await withWorker(() => Promise.all([completed, failed, exported].map((jobId) => waitForJob(aisle, listed, jobId))));
  const created = await post(`${listed.base}/catalog`, { vendors: '*', products: plainProducts(1) });
  const queued = await sendUpdate(aisle, listed, [{ sku: 'SKU-00001', price: 3 }]);

  const newest = [queued, created, exported, failed, completed];
  assert.deepEqual(ids(await list('')), newest);
  assert.deepEqual(ids(await list('?status=COMPLETED')), [exported, completed]);
  assert.deepEqual(ids(await list('?status=FAILED')), [failed]);
  assert.deepEqual(ids(await list('?status=QUEUED')), [queued, created]);
  assert.deepEqual(ids(await list('?status=IN_PROGRESS')), []);
  assert.deepEqual(ids(await list('?type=CATALOG_UPDATE')), [queued, failed, completed]);
  assert.deepEqual(ids(await list('?type=PRODUCT_CREATION')), [created]);
  assert.deepEqual(ids(await list('?type=CATALOG_EXPORT&status=COMPLETED')), [exported]);
  assert.deepEqual(ids(await list('?type=CATALOG_EXPORT&status=FAILED')), []);
  assert.deepEqual(ids(await list('?status=&type=&page=&page_size=')), newest);

  const second = await list('?page=2&page_size=2');
  assert.deepEqual(
    { ...second, jobs: ids(second) },
    { jobs: newest.slice(2, 4), page_number: 2, page_size: 2, total_pages: 3, total_items: 5 },
  );
  const beyond = await list('?page=9&page_size=2');
  assert.deepEqual(beyond, { jobs: [], page_number: 9, page_size: 2, total_pages: 3, total_items: 5 });
  const one = await aisle.call('GET', `${listed.base}/catalog/jobs/${failed}`, { token: listed.token });
  assert.deepEqual((await list('?status=FAILED')).jobs, [one.body]);

  for (const [query, name] of [
    ['status=DONE', 'status'],
    ['type=UPDATE', 'type'],
    ['page=0', 'page'],
    ['page_size=501', 'page_size'],
  ]) {
    const response = await aisle.call('GET', `${listed.base}/catalog/jobs?${query}`, { token: listed.token });
    assert.deepEqual([response.status, response.body.errors?.[0]?.pointer], [400, name], query);
  }
});

test("another chain's job and an unknown job return 404", async () => {
  const jobId = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 2 }]);
  const stranger = await makeChain(aisle);
  const cases: [string, string | undefined, number, string][] = [
    [`${chain.base}/catalog/jobs/${jobId}`, stranger.token, 404, 'chain_not_found'],
    [`${stranger.base}/catalog/jobs/${jobId}`, stranger.token, 404, 'job_not_found'],
    [`${chain.base}/catalog/jobs/0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01`, chain.token, 404, 'job_not_found'],
    [`${chain.base}/catalog/jobs/${jobId}`, undefined, 401, 'invalid_token'],
    [
      `${chain.base}/catalog/jobs/${jobId}`,
      await makeToken(aisle, chain.chainId, { scopes: ['catalog:write'] }),
      403,
      'forbidden',
    ],
    [`${chain.base}/catalog/jobs/17`, chain.token, 400, 'invalid_request'],
  ];
  for (const [path, token, status, code] of cases) {
    const response = await aisle.call('GET', path, { token });
    assert.deepEqual([response.status, response.body.code], [status, code], path);
  }
  const jobs = await aisle.call('GET', `${stranger.base}/catalog/jobs`, { token: stranger.token });
  assert.equal(jobs.body.total_items, 0);
});

test('a token restricted to certain vendors sees only jobs for those vendors', async () => {
  const shared = await makeChain(aisle, { vendors: 3 });
  const [one, two, three] = shared.vendors as [string, string, string];
  await addProducts(aisle, shared, plainProducts(1));
  const created = async (vendors: unknown) =>
    (
      await aisle.call('POST', `${shared.base}/catalog`, {
        token: shared.token,
        body: { vendors, products: plainProducts(1) },
      })
    ).body.job_id;
  const own = await sendUpdate(aisle, shared, [{ sku: 'SKU-00001', price: 2 }], one);
  const foreign = await sendUpdate(aisle, shared, [{ sku: 'SKU-00001', price: 2 }], three);
  const both = await created([one, two]);
  const partly = await created([one, three]);
  const everywhere = await created('*');
  const limited = await makeToken(aisle, shared.chainId, { vendor_ids: [one, two] });
  const narrow = await makeToken(aisle, shared.chainId, { vendor_ids: [one] });

  const read = (path: string, token: string) => aisle.call('GET', `${shared.base}/catalog/jobs${path}`, { token });
  const seen = async (token: string) => (await read('', token)).body.jobs.map((job: { job_id: string }) => job.job_id);
  assert.deepEqual(await seen(limited), [both, own]);
  assert.deepEqual(await seen(narrow), [own]);
  assert.equal((await read('?page_size=1', limited)).body.total_items, 2);
  assert.equal((await read(`/${own}`, limited)).status, 200);
  for (const hidden of [foreign, partly, everywhere]) {
    for (const path of [`/${hidden}`, `/${hidden}/download`]) {
      const response = await read(path, limited);
      assert.deepEqual([response.status, response.body.code], [404, 'job_not_found']);
    }
  }
});

test('a job that cannot run is FAILED with a reason after its last attempt, and the next job runs', async () => {
  const poisoned = await sendUpdate(aisle, chain, [{ sku: 'SKU-00010', price: 91 }]);
  const next = await sendUpdate(aisle, chain, [{ sku: 'SKU-00010', price: 92 }]);
  await aisle.db.query('delete from job_chunks where job_id = $1', [poisoned]);
  await withWorker(async () => {
    await waitFor(
      'the last attempt',
      async () => {
        // The delay grows with every attempt, so the test does not wait for it.
        await aisle.db.query(
          'update queue_tasks set run_at = now() where chain_id = $1 and attempts > 0 and deaths = 0',
          [chain.chainId],
        );
        return (await readJob(poisoned)).job_status === 'FAILED';
      },
      60,
    );
    const job = await readJob(poisoned);
    assert.match(job.error, /^Processing failed after 5 attempts because of an internal error/);
    assert.deepEqual(job.progress, { total: 1, processed: 0, succeeded: 0, unchanged: 0, failed: 0 });
    assert.equal(job.download_url, undefined);
    assert.equal((await get(`/${poisoned}/download`)).body.code, 'file_not_found');
    const events = await readEvents(poisoned);
    assert.deepEqual([events.length, events[0]?.body.job_status, events[0]?.body.error], [1, 'FAILED', job.error]);
    assert.equal((await waitForJob(aisle, chain, next)).job_status, 'COMPLETED');
  });
  assert.equal((await readProduct(aisle, chain, 'SKU-00010')).price, 92);
  const [dead, ...more] = await aisle.db.query<{ attempts: number; last_error: string }>(
    'select attempts, last_error from queue_dead where chain_id = $1',
    [chain.chainId],
  );
  assert.deepEqual([dead?.attempts, more.length], [5, 0]);
  assert.match(dead?.last_error ?? '', /^Chunk 0 \(log\) of job \S+ does not exist/);
});

test('a task that does not end cannot delay a shutdown, and is run again later', async () => {
  const stopping = await aisle.another({ AISLE_SHUTDOWN_SECONDS: '1', AISLE_LOG_LEVEL: 'warn' }, 'worker');
  const jobId = await whileLocked('SKU-00001', async () => {
    const queued = await sendUpdate(aisle, chain, [{ sku: 'SKU-00001', price: 15 }]);
    await waitFor('the job to start', async () => (await readJob(queued)).job_status === 'IN_PROGRESS', 30);
    await stopping.stop();
    return queued;
  });
  assert.ok(stopping.logged.some((line) => line.includes('shutdown.work_abandoned')));
  const ended = await withWorker(() => waitForJob(aisle, chain, jobId));
  assert.equal(ended.job_status, 'COMPLETED');
  assert.equal((await readProduct(aisle, chain, 'SKU-00001')).price, 15);
});
