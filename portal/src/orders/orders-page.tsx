import { orderStatuses } from '@aisle/contract/order';
import { Badge, Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconHandFinger } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState, NoResults } from '../kit/empty-state.tsx';
import { formatMoney, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { deliveryLabel } from './labels.ts';
import type { OrderSearch } from './search.ts';

type Order = ResponseBody<'listOrders'>['orders'][number];

export function OrdersPage() {
  const { store } = useStore();
  const may = usePermission();
  const search = useSearch({ from: '/signed-in/orders' });
  const navigate = useNavigate({ from: '/orders' });
  const { page = 1, days } = search;
  const change = (part: Partial<OrderSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const { data } = useRead(
    'listOrders',
    {
      params: { vendor_id: store.vendor_id },
      query: {
        ...(search.status && { status: search.status }),
        ...(search.term && { query_term: search.term }),
        ...(days && { start_time: daysAgo(days) }),
        page,
        page_size: 20,
      },
    },
    { refetchInterval: 3000 },
  );
  return (
    <Page
      title="Orders"
      about={`Orders at ${store.name}, newest first. This page updates automatically.`}
      actions={
        may('markItems') && (
          <Button component="a" href="/pick" variant="default" leftSection={<IconHandFinger size={16} />}>
            Picking app
          </Button>
        )
      }
    >
      <Filters search={search} onChange={change} />
      <DataTable
        label="Orders"
        columns={columns}
        rows={data?.orders}
        keyOf={(order) => order.order_id}
        onOpen={(order) => void navigate({ to: '/orders/$orderId', params: { orderId: order.order_id } })}
        empty={
          <NoOrders
            isFiltered={Boolean(search.status ?? search.term ?? days)}
            onClear={() => change({ status: undefined, term: undefined, days: undefined })}
          />
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
      />
    </Page>
  );
}

function Filters({ search, onChange }: { search: OrderSearch; onChange(part: Partial<OrderSearch>): void }) {
  return (
    <Group gap="sm">
      <SearchField
        label="Search orders"
        placeholder="Order code, id or phone number"
        term={search.term}
        onSearch={(term) => onChange({ term })}
      />
      <Select
        aria-label="Status"
        placeholder="All statuses"
        data={orderStatuses.map((status) => ({ value: status, label: humanize(status) }))}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        w={190}
      />
      <SegmentedControl
        aria-label="Time"
        value={String(search.days ?? 60)}
        onChange={(days) => onChange({ days: days === '60' ? undefined : Number(days) })}
        data={[
          { value: '1', label: '24 hours' },
          { value: '7', label: '7 days' },
          { value: '60', label: '60 days' },
        ]}
      />
    </Group>
  );
}

function NoOrders({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const may = usePermission();
  const { store } = useStore();
  if (isFiltered) {
    return <NoResults onClear={onClear}>No orders match your search.</NoResults>;
  }
  return (
    <EmptyState
      title="No orders yet"
      action={
        may('createTestOrder') && (
          <Group>
            <ButtonLink to="/test-order">Send test order</ButtonLink>
            {store.test && (
              <ButtonLink to="/sandbox" variant="default">
                Open sandbox
              </ButtonLink>
            )}
          </Group>
        )
      }
    >
      Customer orders appear here as soon as they are placed.
    </EmptyState>
  );
}

const columns: Column<Order>[] = [
  {
    head: 'Order',
    cell: (order) => (
      <Group gap={6} wrap="nowrap">
        <RowLink to="/orders/$orderId" params={{ orderId: order.order_id }} className="mono" fw={600}>
          {order.order_code}
        </RowLink>
        {order.is_test && (
          <Badge size="xs" variant="outline" color="gray" tt="none" miw="max-content">
            test
          </Badge>
        )}
      </Group>
    ),
  },
  { head: 'Status', cell: (order) => <State value={order.status} /> },
  {
    head: 'Customer',
    cell: ({ customer }) => [customer?.first_name, customer?.last_name].filter(Boolean).join(' ') || '–',
  },
  { head: 'Items', isNumber: true, cell: (order) => order.items.length },
  { head: 'Total', isNumber: true, cell: ({ payment }) => formatMoney(payment.order_total, payment.currency) },
  { head: 'Delivery', isExtra: true, cell: (order) => deliveryLabel(order) },
  { head: 'Placed', cell: (order) => <Time at={order.sys.created_at} /> },
];

/** The time this many days ago, rounded down to the minute so that polls within a minute send the same request. */
function daysAgo(days: number): string {
  const minute = 60_000;
  return new Date(Math.floor(Date.now() / minute) * minute - days * 86_400_000).toISOString();
}
