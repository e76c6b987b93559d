import { useSession } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { shortStoreName } from './short-store-name.ts';

/** The stores for a field that shows the chosen ones side by side. The name of the chain is omitted, so that they fit. */
export function useStoreOptions(): { value: string; label: string }[] {
  const { stores } = useStore();
  const { chain } = useSession();
  return stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: shortStoreName(name, chain.name) }));
}
