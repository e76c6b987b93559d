import type { Fixture, Item } from './fixture.ts';

/** Measures the baseline (`bulk-bare.ts`) from the first byte of the request until the rows are updated. */
export async function bareBulk(url: string, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const started = performance.now();
  await fetch(`${url}/${fixture.chainId}/${vendor}`, { method: 'PUT', body });
  await pollUntil(async () => {
    const response = await fetch(url);
    return !((await response.json()) as { isRunning: boolean }).isRunning;
  });
  return performance.now() - started;
}

export function bodyOf(rows: Item[]): Buffer {
  return Buffer.from(JSON.stringify({ products: rows }));
}

/** Measures Aisle from the first byte of the PUT request until the job is COMPLETED. */
export async function aisleBulk(url: string, fixture: Fixture, vendor: string, body: Buffer): Promise<number> {
  const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
  const started = performance.now();
  const response = await fetch(`${url}${fixture.base}/vendors/${vendor}/catalog`, { method: 'PUT', headers, body });

  if (response.status !== 202)
    throw new Error(`The bulk update returned ${response.status}: ${JSON.stringify(await response.json())}`);
  const { job_id } = (await response.json()) as { job_id: string };
  await waitForJob(url, fixture, job_id);
  return performance.now() - started;
}

export async function waitForJob(url: string, fixture: Fixture, jobId: string, pollMs = 20): Promise<void> {
  await pollUntil(async () => {
    const response = await fetch(`${url}${fixture.base}/catalog/jobs/${jobId}`, {
      headers: { authorization: `Bearer ${fixture.token}` },
    });
    const { job_status } = (await response.json()) as { job_status: string };
    if (job_status === 'FAILED') throw new Error(`Job ${jobId} failed.`);
    return job_status === 'COMPLETED';
  }, pollMs);
}

async function pollUntil(isDone: () => Promise<boolean>, pollMs = 20): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pollMs));
}
