import Fastify from 'fastify';
import pg from 'pg';
import { identityRoutes } from '../contract/src/identity.ts';

/** The baseline for bench/read.ts: a Fastify server with one route that only runs the same SQL. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const chainId = process.env['BENCH_CHAIN'];
const app = Fastify();
app.get('/health/live', async () => ({ status: 'ok' }));
app.get('/bare', { schema: { response: { 200: identityRoutes.listVendors.responses[200].schema } } }, async () => {
  const { rows } = await pool.query({
    name: 'list',
    text: `select *, count(*) over ()::int as total from vendors
           where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))
           order by vendor_id limit $3 offset $4`,
    values: [chainId, null, 20, 0],
  });
  return { vendors: rows, page_number: 1, page_size: 20, total_pages: 1, total_items: rows[0].total };
});
process.on('SIGTERM', () => process.exit(0));
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
