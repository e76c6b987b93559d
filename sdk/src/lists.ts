import { AisleError } from './errors.ts';
import type { OperationRow } from './operation.ts';
import type { RequestInput } from './request.ts';

type Body = Record<string, unknown>;
type List = NonNullable<OperationRow['list']>;

/** The default page size when all items are read, to save requests. */
const pageSize = 100;

/** Reads page after page. `read` sends the request with the query of the next page. */
export async function* readPages(
  list: List,
  input: RequestInput,
  read: (input: RequestInput) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const { style } = list;
  const isNumbered = style === 'pages' || style === 'array';
  let query: Query | undefined = { ...(isNumbered && { page: 1, page_size: pageSize }), ...input.query };
  while (query) {
    const body = await read({ ...input, query });
    checkPage(list, body);
    yield body;
    query = isNumbered ? nextPage(query, body) : nextCursor(style, query, body as CursorBody);
  }
}

export function itemsOf({ style, items }: List, body: unknown): readonly unknown[] {
  return (style === 'array' ? body : (body as Body)[items]) as unknown[];
}

/** A response of another form, for example of a proxy, would be read for ever. */
function checkPage(list: List, body: unknown): void {
  const isList = typeof body === 'object' && body !== null && Array.isArray(itemsOf(list, body));
  if (!isList) throw new AisleError(`The response is not a page of a list${list.items && ` of ${list.items}`}.`);
  const isCounted = list.style !== 'pages' || Number.isInteger((body as Body)['total_pages']);
  if (!isCounted) throw new AisleError('The response has no number of pages.');
}

type Query = NonNullable<RequestInput['query']>;
type CursorBody = { next_cursor: string; has_more?: boolean; events?: unknown[] };

/** A bare array has no number of pages, so it ends with the first page that is not full. */
function nextPage(query: Query, body: unknown): Query | undefined {
  const page = Number(query['page']);
  const isLast = Array.isArray(body)
    ? body.length < Number(query['page_size'])
    : page >= Number((body as Body)['total_pages']);
  return isLast ? undefined : { ...query, page: page + 1 };
}

/** The feed ends with the first response without events. */
function nextCursor(
  style: List['style'],
  query: Query,
  { next_cursor, has_more, events }: CursorBody,
): Query | undefined {
  if (!(has_more ?? (events?.length ?? 0) > 0)) return undefined;
  const previous = query[style === 'feed' ? 'after' : 'cursor'];
  if (typeof next_cursor !== 'string' || next_cursor === previous) {
    throw new AisleError('The response has no cursor for the next page.');
  }
  return style === 'feed' ? { ...query, after: next_cursor } : { ...withoutStart(query), cursor: next_cursor };
}

/** The cursor includes where the list started. */
function withoutStart({ updated_since: _start, ...query }: Query) {
  return query;
}
