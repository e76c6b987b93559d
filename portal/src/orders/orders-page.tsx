import { orderStatuses } from '@aisle/contract/order';
import { Badge, Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconHandFinger } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState, NoResults } from '../kit/empty-state.tsx';
import { formatMoney, formatNumber, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { shortStoreName } from '../kit/short-store-name.ts';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { deliveryLabel } from './labels.ts';
import { MoreFilters } from './more-filters.tsx';
import { type OrderSearch, orderQuery } from './search.ts';

type Order = ResponseBody<'listOrders'>['orders'][number];

export function OrdersPage() {
  const t = useMessages();
  const { store } = useStore();
  const may = usePermission();
  const search = useSearch({ from: '/signed-in/orders' });
  const navigate = useNavigate({ from: '/orders' });
  const { page = 1, days } = search;
  const change = (part: Partial<OrderSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const query = { ...orderQuery(search, Date.now()), page, page_size: 20 };
  const isAll = search.all === true;
  const every = { refetchInterval: 3000 };
  const ofStore = useRead(
    'listOrders',
    { params: { vendor_id: store.vendor_id }, query },
    { ...every, enabled: !isAll },
  );
  const ofAll = useRead('searchOrders', { query }, { ...every, enabled: isAll });
  const { data } = isAll ? ofAll : ofStore;
  return (
    <Page
      title={t('orders.title')}
      about={isAll ? t('orderFilter.aboutAllStores') : t('orders.about', { store: store.name })}
      actions={
        may('markItems') && (
          <Button component="a" href="/pick" variant="default" leftSection={<IconHandFinger size={16} />}>
            {t('orders.pickingApp')}
          </Button>
        )
      }
    >
      <Filters search={search} onChange={change} />
      <DataTable
        label={t('orders.title')}
        columns={useColumns(isAll)}
        rows={data?.orders}
        keyOf={(order) => order.order_id}
        onOpen={(order) => void navigate({ to: '/orders/$orderId', params: { orderId: order.order_id } })}
        empty={
          <NoOrders
            isFiltered={Boolean(search.status ?? search.outcome ?? search.term ?? days ?? search.from)}
            onClear={() =>
              change({
                status: undefined,
                outcome: undefined,
                term: undefined,
                days: undefined,
                from: undefined,
                to: undefined,
              })
            }
          />
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
      />
    </Page>
  );
}

function Filters({ search, onChange }: { search: OrderSearch; onChange(part: Partial<OrderSearch>): void }) {
  const t = useMessages();
  return (
    <Group gap="sm">
      <SearchField
        label={t('orders.search')}
        placeholder={t('orders.searchPlaceholder')}
        term={search.term}
        onSearch={(term) => onChange({ term })}
      />
      <Select
        aria-label={t('orders.status')}
        placeholder={t('orders.allStatuses')}
        data={orderStatuses.map((status) => ({ value: status, label: humanize(status) }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        w={{ base: '100%', sm: 190 }}
      />
      <SegmentedControl
        aria-label={t('orders.time')}
        value={search.from ? '' : String(search.days ?? 60)}
        onChange={(days) =>
          onChange({ days: days === '60' ? undefined : Number(days), from: undefined, to: undefined })
        }
        data={[
          { value: '1', label: t('orders.lastDay', { hours: 24 }) },
          { value: '7', label: t('orders.days', { count: 7 }) },
          { value: '60', label: t('orders.days', { count: 60 }) },
        ]}
      />
      <MoreFilters search={search} onChange={onChange} />
    </Group>
  );
}

function NoOrders({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  if (isFiltered) {
    return <NoResults onClear={onClear}>{t('orders.noMatch')}</NoResults>;
  }
  return (
    <EmptyState
      title={t('orders.none')}
      action={
        may('createTestOrder') && (
          <Group>
            <ButtonLink to="/test-order">{t('orders.sendTest')}</ButtonLink>
            {store.test && (
              <ButtonLink to="/sandbox" variant="default">
                {t('orders.openSandbox')}
              </ButtonLink>
            )}
          </Group>
        )
      }
    >
      {t('orders.noneHelp')}
    </EmptyState>
  );
}

function useColumns(isAll: boolean): Column<Order>[] {
  const t = useMessages();
  const { chain } = useSession();
  return [
    {
      head: t('orders.order'),
      cell: (order) => (
        <Group gap={6} wrap="nowrap">
          <RowLink to="/orders/$orderId" params={{ orderId: order.order_id }} className="mono" fw={600}>
            {order.order_code}
          </RowLink>
          {order.is_test && (
            <Badge size="xs" variant="outline" color="gray" tt="none" miw="max-content">
              {t('orders.test')}
            </Badge>
          )}
        </Group>
      ),
    },
    { head: t('orders.status'), cell: (order) => <State value={order.status} /> },
    {
      head: t('orders.customer'),
      cell: ({ customer }) => [customer?.first_name, customer?.last_name].filter(Boolean).join(' ') || '–',
    },
    ...(isAll
      ? [{ head: t('orderFilter.store'), cell: ({ client }: Order) => shortStoreName(client.name, chain.name) }]
      : []),
    { head: t('orders.items'), isNumber: true, cell: (order) => formatNumber(order.items.length) },
    {
      head: t('orders.total'),
      isNumber: true,
      cell: ({ payment }) => formatMoney(payment.order_total, payment.currency),
    },
    { head: t('orders.delivery'), isExtra: true, cell: (order) => deliveryLabel(t, order) },
    { head: t('orders.placed'), cell: (order) => <Time at={order.sys.created_at} /> },
  ];
}
