import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { Answer } from '../api/operations.ts';
import { useRead } from '../api/hooks.ts';
import { EmptyState } from '../kit/empty-state.tsx';
import { PageLoading } from './fallbacks.tsx';

export type Store = Answer<'listVendors'>['vendors'][number];
type Choice = { store: Store; stores: Store[]; choose(vendorId: string): void };

const StoreContext = createContext<Choice | undefined>(undefined);
const remembered = 'aisle-store';

/** Which store the pages are about: the one in the address, the one chosen last, or the first. */
export function StoreProvider({ children }: { children: ReactNode }) {
  const { data, isPending } = useRead('listVendors', { query: { page_size: 500 } }, { staleTime: 60_000 });
  const { store: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const stores = data?.vendors ?? [];
  const find = (id: string | null | undefined) => stores.find((one) => one.vendor_id === id || one.external_id === id);
  const store = find(asked) ?? find(localStorage.getItem(remembered)) ?? stores[0];
  if (isPending) return <PageLoading />;
  if (!store) return <NoStores />;
  const choose = (vendorId: string) => {
    localStorage.setItem(remembered, vendorId);
    void navigate({ to: '.', search: (before: object) => ({ ...before, store: vendorId }) });
  };
  return <StoreContext value={{ store, stores, choose }}>{children}</StoreContext>;
}

export function useStore(): Choice {
  const choice = useContext(StoreContext);
  if (!choice) throw new Error('There is no store here.');
  return choice;
}

function NoStores() {
  return (
    <EmptyState title="The chain has no stores yet">
      The operator of this installation creates them; then they appear here.
    </EmptyState>
  );
}
