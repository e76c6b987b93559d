import { deliveryStatuses } from '@aisle/contract/deliveries';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import type { DeliverySearch } from './search.ts';

type Delivery = ResponseBody<'listDeliveries'>['deliveries'][number];

export function DeliveriesPage() {
  const search = useSearch({ from: '/signed-in/integration/deliveries' });
  const navigate = useNavigate({ from: '/integration/deliveries' });
  const change = (part: Partial<DeliverySearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const { page = 1, status, open } = search;
  const { data } = useRead(
    'listDeliveries',
    { query: { page, page_size: 20, ...(status && { status }) } },
    { refetchInterval: 3000 },
  );
  return (
    <Page
      title="Deliveries"
      about="Messages that were sent to your webhooks or are still pending. Kept for 30 days."
      actions={<ResendFailed />}
    >
      <Group>
        <Select
          aria-label="Status"
          placeholder="All statuses"
          data={deliveryStatuses.map((status) => ({ value: status, label: statusLabels[status] }))}
          value={status ?? null}
          onChange={(value) => change({ status: value ?? undefined, page: undefined })}
          clearable
          w={240}
        />
      </Group>
      <DataTable
        label="Deliveries"
        columns={useColumns()}
        rows={data?.deliveries}
        keyOf={(delivery) => delivery.delivery_id}
        onOpen={(delivery) => change({ open: delivery.delivery_id })}
        empty={
          <EmptyState
            title={status ? 'No results' : 'No deliveries yet'}
            action={
              status ? (
                <Button variant="default" onClick={() => change({ status: undefined })}>
                  Show all
                </Button>
              ) : (
                <ButtonLink to="/integration/webhooks" variant="default">
                  View webhooks
                </ButtonLink>
              )
            }
          >
            {status
              ? 'No deliveries with this status.'
              : 'Once you add a webhook, order events and finished jobs appear here.'}
          </EmptyState>
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
      />
      {open && <DeliveryDrawer deliveryId={open} onClose={() => change({ open: undefined })} />}
    </Page>
  );
}

const statusLabels: Record<Delivery['status'], string> = {
  PENDING: 'Pending: not sent yet',
  DELIVERED: 'Delivered',
  FAILED: 'Failed: will be retried',
  EXHAUSTED: 'Exhausted: no more retries',
};

function useColumns(): Column<Delivery>[] {
  const { stores } = useStore();
  return [
    {
      head: 'Event',
      cell: ({ type, order_id, job_id, delivery_id }) => (
        <>
          <RowLink
            from="/integration/deliveries"
            to="."
            search={(before) => ({ ...before, open: delivery_id })}
            className="mono"
            fw={600}
          >
            {type}
          </RowLink>
          {(order_id ?? job_id) && (
            <Text className="mono" c="dimmed">
              {order_id ? 'order' : 'job'} …{(order_id ?? job_id)?.slice(-8)}
            </Text>
          )}
        </>
      ),
    },
    { head: 'Status', cell: ({ status }) => <State value={status} /> },
    {
      head: 'Store',
      isExtra: true,
      cell: ({ vendor_id }) => stores.find((store) => store.vendor_id === vendor_id)?.name ?? '–',
    },
    { head: 'Attempts', isNumber: true, cell: ({ attempt_count }) => formatNumber(attempt_count) },
    { head: 'Last outcome', cell: ({ last_outcome }) => (last_outcome ? humanize(last_outcome) : '–') },
    { head: 'Next attempt', isExtra: true, cell: ({ next_attempt_at }) => <Time at={next_attempt_at} never="–" /> },
    { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function ResendFailed() {
  const may = usePermission();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [since, setSince] = useState<string | null>(null);
  const resend = useChange('resendFailedDeliveries', ['listDeliveries']);
  if (!may('resendFailedDeliveries')) return null;
  const send = () =>
    resend.mutate(
      { body: { since: since ? new Date(since).toISOString() : new Date(Date.now() - 86_400_000).toISOString() } },
      {
        onSuccess: ({ resent }) => {
          notifyDone(`${formatNumber(resent)} ${resent === 1 ? 'delivery' : 'deliveries'} resent.`);
          close();
        },
      },
    );
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={open}>
        Resend failed
      </Button>
      <Modal opened={isOpen} onClose={close} title="Resend failed deliveries" size="md">
        <Stack>
          <Text size="sm">
            Exhausted deliveries start over with a full set of retries. Failed deliveries are retried immediately.
          </Text>
          <DateTimePicker
            label="Since"
            placeholder="Last 24 hours"
            value={since}
            onChange={setSince}
            maxDate={new Date()}
            clearable
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button onClick={send} loading={resend.isPending}>
              Resend
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
