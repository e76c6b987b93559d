import { IconBuildingStore, IconListDetails, IconReceipt, IconShoppingBag } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { shownStatus } from '../jobs/status.ts';
import { formatMoney, formatShortDateTime, humanize } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { navigation } from './navigation.ts';
import { productName } from '../kit/localized.ts';
import { hasWords, maxEntries, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';

/** The entries for a term: pages and stores at once, the others as soon as the server has found them. */
export function usePaletteGroups(term: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const t = useMessages();
  const { store } = useStore();
  const [orders, products, jobs] = [useOrders(term), useProducts(term), useJobs(term)];
  const groups = [
    { id: 'pages', label: t('palette.pages'), entries: usePages(term) },
    { id: 'orders', label: t('palette.orders'), entries: orders.entries },
    { id: 'products', label: t('palette.products', { store: store.name }), entries: products.entries },
    { id: 'jobs', label: t('palette.jobs'), entries: jobs.entries },
    { id: 'stores', label: t('palette.stores'), entries: useStores(term) },
  ];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: [orders, products, jobs].some(({ isFetching }) => isFetching),
  };
}

type Found = { entries: PaletteEntry[]; isFetching: boolean };

/** The server searches for terms of at least two characters. */
function isSearched(term: string): boolean {
  return term.length >= 2;
}

function usePages(term: string): PaletteEntry[] {
  const t = useMessages();
  const navigate = useNavigate();
  const links = navigation.flatMap(({ group, links: own }) => own.map((link) => ({ ...link, group })));
  const found = links.filter(({ label, group }) => hasWords(term, t(label), group && t(group)));
  return found.slice(0, term === '' ? undefined : maxEntries).map(({ to, label, icon }) => ({
    id: to,
    label: t(label),
    icon,
    open: () => void navigate({ to }),
  }));
}

function useStores(term: string): PaletteEntry[] {
  const { stores, choose } = useStore();
  if (!isSearched(term)) return [];
  const found = stores.filter(({ name, external_id, vendor_id }) => hasWords(term, name, external_id, vendor_id));
  return found.slice(0, maxEntries).map(({ vendor_id: id, name, external_id }) => ({
    id,
    label: name,
    ...(external_id && { about: external_id }),
    icon: IconBuildingStore,
    open: () => choose(id),
  }));
}

function useOrders(term: string): Found {
  const may = usePermission();
  const navigate = useNavigate();
  const { data, isFetching } = useRead(
    'searchOrders',
    { query: { query_term: term, page_size: maxEntries } },
    { enabled: isSearched(term) && may('searchOrders'), throwOnError: false },
  );
  const orders = isSearched(term) ? (data?.orders ?? []) : [];
  return {
    isFetching,
    entries: orders.map(({ order_id: orderId, order_code, customer, client, status }) => ({
      id: orderId,
      label: [order_code, customer?.first_name, customer?.last_name].filter(Boolean).join(' '),
      about: `${humanize(status)} · ${client.name}`,
      icon: IconReceipt,
      open: () => void navigate({ to: '/orders/$orderId', params: { orderId } }),
    })),
  };
}

function useProducts(term: string): Found {
  const may = usePermission();
  const navigate = useNavigate();
  const { store } = useStore();
  const { data, isFetching } = useRead(
    'listCatalog',
    {
      params: { vendor_id: store.vendor_id },
      query: { query_term: term, page_size: maxEntries, sort: 'relevance' },
    },
    { enabled: isSearched(term) && may('listCatalog'), throwOnError: false },
  );
  const products = isSearched(term) ? (data?.products ?? []) : [];
  return {
    isFetching,
    entries: products.map((product) => ({
      id: product.sku,
      label: productName(product),
      about: `${product.sku} · ${formatMoney(product.price, product.currency)}`,
      icon: IconShoppingBag,
      open: () => void navigate({ to: '/products/$sku', params: { sku: product.sku } }),
    })),
  };
}

/** Searches the latest jobs by id and type. */
function useJobs(term: string): Found {
  const t = useMessages();
  const may = usePermission();
  const navigate = useNavigate();
  const { data, isFetching } = useRead(
    'listCatalogJobs',
    { query: { page_size: 100 } },
    { enabled: isSearched(term) && may('listCatalogJobs'), throwOnError: false, staleTime: 30_000 },
  );
  const jobs = isSearched(term) ? (data?.jobs ?? []) : [];
  const found = jobs.filter(({ job_id, job_type, vendor_id }) =>
    hasWords(term, job_id, humanize(job_type), t('palette.jobs'), vendor_id),
  );
  return {
    isFetching,
    entries: found.slice(0, maxEntries).map((job) => ({
      id: job.job_id,
      label: t('palette.job', { type: humanize(job.job_type), time: formatShortDateTime(job.created_at) }),
      about: humanize(shownStatus(job)),
      icon: IconListDetails,
      open: () => void navigate({ to: '/jobs/$jobId', params: { jobId: job.job_id } }),
    })),
  };
}
