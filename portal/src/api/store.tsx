import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import { useAllPages } from './all-pages.ts';
import type { ResponseBody } from './operations.ts';

export type Store = ResponseBody<'listVendors'>['vendors'][number];
type Choice = { store: Store; stores: Store[]; choose(vendorId: string): void };

const StoreContext = createContext<Choice | undefined>(undefined);
const storageKey = 'aisle-store';

type ProviderProps = { children: ReactNode; waiting: ReactNode; none: ReactNode };

/** Provides the selected store: the one in the URL, otherwise the last one selected, otherwise the first. */
export function StoreProvider({ children, waiting, none }: ProviderProps) {
  const { data, isPending } = useAllPages('listVendors', {
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? 5000 : false),
  });
  const { store: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const stores = (data ?? []).toSorted(byNumber);
  const find = (id: string | null | undefined) =>
    stores.find((store) => store.vendor_id === id || store.external_id === id);
  const store = find(asked) ?? find(localStorage.getItem(storageKey)) ?? stores[0];
  if (isPending) return waiting;
  if (!store) return none;
  const choose = (vendorId: string) => {
    localStorage.setItem(storageKey, vendorId);
    void navigate({ to: '.', search: (before: object) => ({ ...before, store: vendorId }) });
  };
  return <StoreContext value={{ store, stores, choose }}>{children}</StoreContext>;
}

export function useStore(): Choice {
  const choice = useContext(StoreContext);
  if (!choice) throw new Error('useStore must be used within a StoreProvider.');
  return choice;
}

/** Sorts by the chain's own store numbers, then by name. */
function byNumber(a: Store, b: Store): number {
  const order = (one: string, other: string) => one.localeCompare(other, undefined, { numeric: true });
  return order(a.external_id ?? '\uffff', b.external_id ?? '\uffff') || order(a.name, b.name);
}
