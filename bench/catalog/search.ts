import type { Database } from '../../server/src/kernel/database/db.ts';
import { describe } from './latency.ts';
import type { Fixture } from './fixture.ts';

/** Measures how long a page of products and a page of search results take, through the API and with bare SQL. */
export async function measureSearch(db: Database, url: string, fixture: Fixture, times: number) {
  const vendor = fixture.vendors[Math.floor(fixture.vendors.length / 2)] ?? '';
  const headers = { authorization: `Bearer ${fixture.token}` };
  const api = (query: string) => () =>
    fetch(`${url}${fixture.base}/vendors/${vendor}/catalog?${query}`, { headers }).then((response) =>
      response.arrayBuffer(),
    );
  const sql = (text: string, values: unknown[]) => () => db.query(text, values);
  const page = `select o.*, p.* from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
    where o.chain_id = $1 and o.vendor_id = $2`;
  return {
    list: await timed(api('page_size=20'), times),
    bareList: await timed(async () => {
      await Promise.all([
        sql(`${page} order by o.sku limit 20`, [fixture.chainId, vendor])(),
        sql('select count(*) from offers where chain_id = $1 and vendor_id = $2', [fixture.chainId, vendor])(),
      ]);
    }, times),
    search: await timed(api('page_size=20&query_term=milk'), times),
    bareSearch: await timed(async () => {
      await Promise.all([
        sql(`${page} and p.search_text like '%milk%' order by o.sku limit 20`, [fixture.chainId, vendor])(),
        sql(
          `select count(*) from offers o join products p on p.chain_id = o.chain_id and p.sku = o.sku
           where o.chain_id = $1 and o.vendor_id = $2 and p.search_text like '%milk%'`,
          [fixture.chainId, vendor],
        )(),
      ]);
    }, times),
  };
}

async function timed(work: () => Promise<unknown>, times: number): Promise<{ p50: number; p99: number }> {
  for (let index = 0; index < 10; index++) await work();
  const values: number[] = [];
  for (let index = 0; index < times; index++) {
    const started = performance.now();
    await work();
    values.push(performance.now() - started);
  }
  return describe(values);
}
