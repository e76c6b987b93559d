import { Text } from '@mantine/core';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { formatMoney } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { formatStock } from './format-stock.ts';

type Product = { sku: string; currency: string; is_sold_by_weight: boolean };
type Change = ResponseBody<'listProductHistory'>['changes'][number];

/** The changes to the product's price and stock in the selected store. */
export function ProductHistory({ product: { sku, currency, is_sold_by_weight } }: { product: Product }) {
  const t = useMessages();
  const { store } = useStore();
  const { data } = useRead('listProductHistory', { params: { vendor_id: store.vendor_id }, query: { sku, limit: 50 } });
  const columns: Column<Change>[] = [
    { head: t('productPage.changed'), cell: ({ changed_at }) => <Time at={changed_at} /> },
    {
      head: t('productPage.price'),
      isNumber: true,
      cell: (change) => <Values change={change} of={({ price }) => formatMoney(price, currency)} />,
    },
    {
      head: t('productPage.stock'),
      isNumber: true,
      cell: (change) => <Values change={change} of={({ quantity }) => formatStock(quantity, is_sold_by_weight)} />,
    },
    {
      head: t('productPage.active'),
      cell: (change) => (
        <Values change={change} of={({ active }) => t(active ? 'productPage.yes' : 'productPage.no')} />
      ),
    },
    { head: t('productPage.by'), cell: (change) => <Source change={change} /> },
  ];
  return (
    <DataTable
      label={t('productPage.history', { store: store.name })}
      columns={columns}
      rows={data?.changes}
      keyOf={({ changed_at, job_id, order_id }) => `${changed_at} ${job_id ?? order_id ?? ''}`}
      empty={
        <Text size="sm" c="dimmed" p="md">
          {t('productPage.noChanges')}
        </Text>
      }
    />
  );
}

/** The old and the new value, or only the value if it did not change. */
function Values({ change, of }: { change: Change; of(values: Change['new']): string }) {
  const [before, after] = [of(change.old), of(change.new)];
  if (before === after) {
    return (
      <Text size="sm" c="dimmed">
        {after}
      </Text>
    );
  }
  return (
    <span className="nowrap">
      <Text span td="line-through" c="dimmed" size="sm">
        {before}
      </Text>{' '}
      {after}
    </span>
  );
}

function Source({ change: { source, job_id, order_id, changed_by } }: { change: Change }) {
  const t = useMessages();
  const label = t(`productPage.source.${source}`);
  return (
    <>
      {job_id && (
        <InlineLink to="/jobs/$jobId" params={{ jobId: job_id }}>
          {label}
        </InlineLink>
      )}
      {order_id && (
        <InlineLink to="/orders/$orderId" params={{ orderId: order_id }}>
          {label}
        </InlineLink>
      )}
      {!job_id && !order_id && label}
      {changed_by && (
        <Text size="sm" c="dimmed">
          <bdi>{changed_by}</bdi>
        </Text>
      )}
    </>
  );
}
