import { pathParameters } from '../../contract/src/common.ts';
import { demoStores } from '../../demo/src/stores.ts';
import { demoChainId } from '../../server/src/demo/index.ts';
import { derivedId } from '../../server/src/kernel/values/ids.ts';
import { loadTool } from './load.ts';

export type Collection = {
  info: { _postman_id: string; name: string; description: unknown };
  item: Folder[];
  auth: object;
  event: object[];
  variable: Pair[];
};
export type Folder = { id: string; name: string; item: Entry[] };
export type Entry = { id: string; name: string; request: Request };
type Request = {
  method: string;
  url: { host: string[]; path: string[]; query: Pair[]; variable: Pair[] };
  body?: { urlencoded?: Pair[] };
  auth?: object | null;
};

type Pair = { key: string; value: string };

type Parameter = {
  name: string;
  in: string;
  schema: { default?: string | number | boolean; enum?: string[]; examples?: string[] };
};
type Document = {
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  webhooks?: object;
};
type Converted = { result: boolean; reason?: string; output: { data: Collection }[] };
type Converter = {
  default: {
    convertV2(input: object, options: object, done: (error: Error | null, converted: Converted) => void): void;
  };
};

/**
 * Converts the partner API to a Postman collection that is ready to run. The examples from the document are used, but
 * ids and secrets are replaced by variables with the names used in `demo.json`, and a script saves ids from responses
 * for later requests. The collection contains no saved responses, which would make it ten times as large.
 */
export async function postmanCollection(document: Document): Promise<Collection> {
  const collection = await convert(document);
  const folders = collection.item.filter(({ name }) => name !== 'Portal session');
  return {
    info: { ...collection.info, _postman_id: idOf('collection') },
    item: folders.map((folder) => ({
      ...folder,
      id: idOf(folder.name),
      item: folder.item.map((entry) => readyEntry(entry, document)),
    })),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_token}}', type: 'string' }] },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: rememberIds.trim().split('\n') } }],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  };
}

/** The path parameters whose values are taken from responses. */
const remembered = Object.keys(pathParameters).filter((name) => !['chain_id', 'vendor_id', 'client_id'].includes(name));
const noId = '00000000-0000-4000-8000-000000000000';

const variables = {
  base_url: 'http://127.0.0.1:8080',
  chain_id: demoChainId,
  vendor_id: demoStores[0]?.vendor_id ?? '',
  api_token: '',
  client_id: '',
  client_secret: '',
  ...Object.fromEntries(remembered.map((name) => [name, noId])),
  new_client_id: 'unknown',
};

/** Runs after every request. The first id in a list is used until a request creates an object. */
const rememberIds = `
const isJson = (pm.response.headers.get('content-type') || '').startsWith('application/json');
const body = isJson ? pm.response.json() : {};
const list = Object.values(body).find(Array.isArray) || [];
for (const name of ${JSON.stringify(remembered)}) {
  const isUnset = pm.collectionVariables.get(name) === '${noId}';
  const id = body[name] || (isUnset && list[0] && list[0][name]);
  if (typeof id === 'string') pm.collectionVariables.set(name, id);
}
if (pm.response.code === 201 && body.client_secret) pm.collectionVariables.set('new_client_id', body.client_id);
pm.test('the request succeeds', () => pm.expect(pm.response.code).to.be.below(300));
`;

async function convert(document: Document): Promise<Collection> {
  const { default: converter } = (await loadTool('openapi-to-postmanv2')) as Converter;
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    enableOptionalParameters: false,
    includeAuthInfoInExample: false,
  };
  // The converter would add webhooks as requests, but clients never send them.
  const { webhooks: _, ...data } = structuredClone(document);
  const converted = await new Promise<Converted>((resolve, reject) => {
    converter.convertV2({ type: 'json', data }, options, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const collection = converted.output[0]?.data;
  if (!collection) throw new Error(`The Postman collection could not be created: ${converted.reason}`);
  return collection;
}

function readyEntry({ name, request }: Entry, document: Document): Entry {
  const isPublic = request.auth === null || request.auth === undefined;
  const { auth: _auth, ...rest } = request;
  return {
    name,
    id: idOf(`${request.method} ${request.url.path.join('/')}`),
    request: {
      ...rest,
      url: {
        ...request.url,
        host: ['{{base_url}}'],
        query: request.url.query.map((one) => ({ ...one, value: documentedValue(document, request, one.key) ?? '' })),
        variable: request.url.variable.map((one) => ({
          ...one,
          value: documentedValue(document, request, one.key) ?? `{{${variableOf(one.key)}}}`,
        })),
      },
      // All other requests use the collection's token.
      ...(isPublic && { auth: { type: 'noauth' } }),
      ...(request.body?.urlencoded && { body: { ...request.body, urlencoded: tokenForm } }),
    },
  };
}

/** Returns the default or an allowed value from the document, because the converter would make one up. */
function documentedValue(document: Document, { method, url }: Request, key: string): string | undefined {
  const path = `/${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`;
  const operation = document.paths[path]?.[method.toLowerCase()] as { parameters: (Parameter | { $ref: string })[] };
  const parameters = operation.parameters.map((one) =>
    '$ref' in one ? (document.components['parameters']?.[one.$ref.split('/').at(-1) ?? ''] as Parameter) : one,
  );
  const found = parameters.find((one) => one.name === key);
  const { default: value, enum: allowed, examples } = found?.schema ?? {};
  const example = found?.in === 'query' ? examples?.[0] : undefined;
  return (value ?? allowed?.[0] ?? example)?.toString();
}

/** The client id in a path must not be the collection's own, because the request deletes that client. */
function variableOf(key: string): string {
  return key === 'client_id' ? 'new_client_id' : key;
}

const tokenForm = [
  { key: 'grant_type', value: 'client_credentials' },
  { key: 'client_id', value: '{{client_id}}' },
  { key: 'client_secret', value: '{{client_secret}}' },
];

/** Derives the same id every time, so that the file changes only when the API changes. */
function idOf(name: string): string {
  return derivedId('aisle', 'postman', name);
}
