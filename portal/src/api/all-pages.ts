import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { Input, ResponseBody } from './operations.ts';
import { useSession } from './session.tsx';

/** Lists that must be complete, and what they contain. A chain can have thousands of stores. */
const nouns = { listVendors: 'vendors', listOutletStatuses: 'outlets', listWebhooks: 'webhooks' } as const;

type ListId = keyof typeof nouns;
type ItemOf<Id extends ListId> =
  ResponseBody<Id> extends Record<(typeof nouns)[Id], readonly (infer Item)[]> ? Item : never;
type Options<Id extends ListId> = Pick<UseQueryOptions<ItemOf<Id>[]>, 'refetchInterval' | 'staleTime' | 'throwOnError'>;

/** As `useRead`, but reads all pages of a list. */
export function useAllPages<Id extends ListId>(id: Id, options: Options<Id> = {}) {
  const { chain, user } = useSession();
  return useQuery<ItemOf<Id>[]>({
    queryKey: [id, chain.chain_id, user.user_id],
    queryFn: ({ signal }) =>
      readAllPages(async (page) => {
        const input = { query: { page, page_size: maxPageSize } } as unknown as Input<Id>;
        const body = await call(chain.chain_id, id, input, { signal });
        const { [nouns[id]]: items, total_pages } = body as unknown as Record<string, ItemOf<Id>[]> & Counted;
        return { items: items ?? [], total_pages };
      }),
    throwOnError: (_error, { state }) => state.data === undefined,
    ...options,
  });
}

const maxPageSize = 500;

type Counted = { total_pages: number };

async function readAllPages<Item>(
  read: (page: number) => Promise<Counted & { items: readonly Item[] }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page++) {
    const { items, total_pages } = await read(page);
    all.push(...items);
    if (page >= total_pages) return all;
  }
}
