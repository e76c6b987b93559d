import { deliveryStatuses } from '@aisle/contract/deliveries';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { DateTimePicker } from '../kit/dates.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import type { DeliverySearch } from './search.ts';

type Delivery = ResponseBody<'listDeliveries'>['deliveries'][number];

export function DeliveriesPage() {
  const t = useMessages();
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
    <Page title={t('deliveries.title')} about={t('deliveries.about')} actions={<ResendFailed />}>
      <Group>
        <Select
          aria-label={t('deliveries.status')}
          placeholder={t('deliveries.allStatuses')}
          data={deliveryStatuses.map((status) => ({ value: status, label: t(`deliveries.status.${status}`) }))}
          value={status ?? null}
          onChange={(value) => change({ status: value ?? undefined, page: undefined })}
          clearable
          w={{ base: '100%', xs: 280 }}
        />
      </Group>
      <DataTable
        label={t('deliveries.title')}
        columns={useColumns()}
        rows={data?.deliveries}
        keyOf={(delivery) => delivery.delivery_id}
        onOpen={(delivery) => change({ open: delivery.delivery_id })}
        empty={
          <EmptyState
            title={status ? t('deliveries.noResults') : t('deliveries.none')}
            action={
              status ? (
                <Button variant="default" onClick={() => change({ status: undefined })}>
                  {t('deliveries.showAll')}
                </Button>
              ) : (
                <ButtonLink to="/integration/webhooks" variant="default">
                  {t('deliveries.viewWebhooks')}
                </ButtonLink>
              )
            }
          >
            {status ? t('deliveries.noneWithStatus') : t('deliveries.noneHelp')}
          </EmptyState>
        }
        paging={pagingOf(data, page, (next) => change({ page: next }))}
      />
      {open && <DeliveryDrawer deliveryId={open} onClose={() => change({ open: undefined })} />}
    </Page>
  );
}

function useColumns(): Column<Delivery>[] {
  const t = useMessages();
  const { stores } = useStore();
  return [
    {
      head: t('deliveries.event'),
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
            <Text size="sm" c="dimmed">
              <Rich
                message={order_id ? 'deliveries.ofOrder' : 'deliveries.ofJob'}
                values={{ id: <span className="mono">…{(order_id ?? job_id ?? '').slice(-8)}</span> }}
              />
            </Text>
          )}
        </>
      ),
    },
    { head: t('deliveries.status'), cell: ({ status }) => <State value={status} /> },
    {
      head: t('deliveries.store'),
      isExtra: true,
      cell: ({ vendor_id }) => stores.find((store) => store.vendor_id === vendor_id)?.name ?? '–',
    },
    { head: t('deliveries.attempts'), isNumber: true, cell: ({ attempt_count }) => formatNumber(attempt_count) },
    { head: t('deliveries.lastOutcome'), cell: ({ last_outcome }) => (last_outcome ? humanize(last_outcome) : '–') },
    {
      head: t('deliveries.nextAttempt'),
      isExtra: true,
      cell: ({ next_attempt_at }) => <Time at={next_attempt_at} never="–" />,
    },
    { head: t('deliveries.created'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function ResendFailed() {
  const t = useMessages();
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
          notifyDone(t('deliveries.resent', { count: resent }));
          close();
        },
      },
    );
  return (
    <>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={open}>
        {t('deliveries.resendFailed')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('deliveries.resendTitle')} size="md">
        <Stack>
          <Text size="sm">{t('deliveries.resendHelp')}</Text>
          <DateTimePicker
            label={t('deliveries.since')}
            placeholder={t('deliveries.lastDay')}
            value={since}
            onChange={setSince}
            maxDate={new Date()}
            clearable
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('deliveries.cancel')}
            </Button>
            <Button onClick={send} loading={resend.isPending}>
              {t('deliveries.resend')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
