import { graphql } from './graphql.ts';
import { chunk } from './http.ts';
import type { SeedProduct } from './shop.ts';

/** The importer responds when all rows of the file are stored, so files are small enough for the client's timeout. */
const rowsPerFile = 500;
const pageSize = 1000;

/**
 * Imports the products as CSV and returns the ids of the variants by SKU. Mutations for single products would create a
 * job for the search index for each of them; the importer creates none.
 */
export async function importProducts(
  url: string,
  token: string,
  products: SeedProduct[],
): Promise<Map<string, string>> {
  for (const part of chunk(products, rowsPerFile)) await importFile(url, token, part);
  return readVariantIds(url, token, products.length);
}

const columns =
  'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets';

/** A request with a file, as the GraphQL multipart request specification describes it. */
async function importFile(url: string, token: string, products: SeedProduct[]): Promise<void> {
  const rows = products.map(({ sku, title, price, quantity }) =>
    [title, sku.toLowerCase(), title, '', '', '', '', sku, price, 'Standard', quantity, 'true', '', ''].join(','),
  );
  const query = 'mutation ($file: Upload!) { result: importProducts(csvFile: $file) { imported errors } }';
  const form = new FormData();
  form.append('operations', JSON.stringify({ query, variables: { file: null } }));
  form.append('map', JSON.stringify({ file: ['variables.file'] }));
  form.append('file', new Blob([`${[columns, ...rows].join('\n')}\n`], { type: 'text/csv' }), 'products.csv');
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/admin-api`, { method: 'POST', headers, body: form });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data?: { result: { imported: number } } };
  if (data?.result.imported !== products.length) throw new Error(`Vendure did not import all products: ${text}`);
}

async function readVariantIds(url: string, token: string, count: number): Promise<Map<string, string>> {
  const query = `query ($skip: Int!) {
    productVariants(options: { take: ${pageSize}, skip: $skip, sort: { id: ASC } }) { items { id sku } }
  }`;
  const ids = new Map<string, string>();
  for (let skip = 0; skip < count; skip += pageSize) {
    type Page = { productVariants: { items: { id: string; sku: string }[] } };
    const { data } = await graphql<Page>(`${url}/admin-api`, token, query, { skip });
    for (const { id, sku } of data.productVariants.items) ids.set(sku, id);
  }
  return ids;
}
