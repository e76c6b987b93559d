import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import { count } from '../kit/format.ts';
import { useStore } from '../shell/store.tsx';

export function CatalogTiles() {
  const { store, stores } = useStore();
  const params = { vendor_id: store.vendor_id };
  const all = useRead('listCatalog', { params, query: { page_size: 1 } }, { staleTime: 30_000 });
  const inactive = useRead('listCatalog', { params, query: { page_size: 1, is_active: false } }, { staleTime: 30_000 });
  const running = useRead(
    'listCatalogJobs',
    { query: { page_size: 1, status: 'IN_PROGRESS' } },
    { refetchInterval: 5000 },
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Tile name={`Products of ${store.name}`} value={all.data?.total_items} />
      <Tile name="Not active" value={inactive.data?.total_items} />
      <Tile name="Jobs running" value={running.data?.total_items} />
      <Tile name="Stores" value={stores.length} />
    </SimpleGrid>
  );
}

export function Tile({ name, value }: { name: string; value: number | undefined }) {
  return (
    <Card>
      <Text size="sm" c="dimmed" truncate title={name}>
        {name}
      </Text>
      {value === undefined ? (
        <Skeleton height={26} width={70} mt={6} />
      ) : (
        <Text fz={26} fw={600} lh={1.3}>
          {count(value)}
        </Text>
      )}
    </Card>
  );
}
