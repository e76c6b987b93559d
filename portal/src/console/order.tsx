import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Copyable } from '../kit/copy.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Facts } from '../kit/facts.tsx';
import { formatExactTime, formatMilliseconds, formatMoney, humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ActButton } from './act.tsx';
import { type PlatformBody, useAllowed, usePlatform, usePlatformChange } from './api.ts';
import { usePathParam } from './links.tsx';
import { ChainLink } from './lists.tsx';

type Entry = PlatformBody<'platformGetOrderTimeline'>['entries'][number];

const colors: Record<Entry['kind'], string> = {
  change: 'teal',
  event: 'blue',
  delivery: 'violet',
  attempt: 'gray.6',
  request: 'cyan',
};

/** An order with everything that happened to it: changes, events, deliveries with every attempt, and API calls. */
export function Order() {
  const t = useMessages();
  const params = { order_id: usePathParam('orderId') };
  const { data } = usePlatform('platformGetOrderTimeline', { params }, { refetchInterval: 5000 });
  const code = data?.order.order_code ?? '';
  return (
    <Page
      title={`${t('console.order')} ${code}`}
      actions={data && <ActButton chainId={data.order.client.chain_id} chainName={data.chain_name} />}
    >
      {data && <About data={data} />}
      <Stack gap="xs">
        <Title order={2}>{t('console.timeline')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.timelineAbout')}
        </Text>
        <Timeline entries={data?.entries} chainId={data?.order.client.chain_id ?? ''} />
      </Stack>
    </Page>
  );
}

function About({ data: { order, chain_name } }: { data: PlatformBody<'platformGetOrderTimeline'> }) {
  const t = useMessages();
  return (
    <Card>
      <Facts
        facts={[
          [t('console.status'), <State key="status" value={order.status} />],
          [t('console.chain'), <ChainLink key="chain" chain_id={order.client.chain_id} chain_name={chain_name} />],
          [t('console.store'), order.client.name],
          [t('console.placed'), <Time key="placed" at={order.sys.created_at} />],
          [t('console.total'), formatMoney(order.payment.order_total, order.payment.currency)],
          [t('console.orderId'), <Copyable key="id" value={order.order_id} />],
        ]}
      />
    </Card>
  );
}

function Timeline({ entries, chainId }: { entries: Entry[] | undefined; chainId: string }) {
  const t = useMessages();
  const columns: Column<Entry>[] = [
    {
      head: t('console.time'),
      cell: ({ at }) => (
        <Text size="sm" className="nowrap" component="time" dateTime={at}>
          {formatExactTime(at)}
        </Text>
      ),
    },
    {
      head: t('console.kind'),
      cell: ({ kind }) => (
        <Badge variant="dot" color={colors[kind]} radius="sm" tt="none" fw={500} miw="max-content">
          {t(`console.entry.${kind}`)}
        </Badge>
      ),
    },
    {
      head: t('console.what'),
      cell: ({ kind, title, by }) => (
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {kind === 'change' ? humanize(title) : title}
          </Text>
          {by && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {kind === 'change' && !by.includes(':') ? humanize(by).toLowerCase() : by}
            </Text>
          )}
        </div>
      ),
    },
    {
      head: t('console.outcome'),
      cell: ({ kind, outcome, is_failure: isFailure }) =>
        outcome && (
          <State
            value={outcome}
            {...(isFailure ? { color: 'red' } : (kind === 'attempt' || kind === 'request') && { color: 'teal' })}
          />
        ),
    },
    {
      head: t('console.duration'),
      cell: ({ duration_ms: ms }) => (ms === null ? null : formatMilliseconds(ms)),
      isNumber: true,
      isExtra: true,
    },
    { head: '', cell: (entry) => <Resend entry={entry} chainId={chainId} /> },
  ];
  return (
    <DataTable
      label={t('console.timeline')}
      columns={columns}
      rows={entries}
      keyOf={(entry) => `${entry.kind} ${entry.id}`}
      empty={<EmptyState title={t('console.none')} />}
      minWidth={700}
    />
  );
}

function Resend({ entry, chainId }: { entry: Entry; chainId: string }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const resend = usePlatformChange('platformResendPartnerDelivery', ['platformGetOrderTimeline']);
  const { kind, delivery_id: deliveryId } = entry;
  if (kind !== 'delivery' || deliveryId === null || !isAllowed('platformResendPartnerDelivery')) return null;
  const params = { chain_id: chainId, delivery_id: deliveryId };
  return (
    <Group justify="flex-end">
      <Button
        size="xs"
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate({ params }, { onSuccess: () => notifyDone(t('console.resent')) })}
      >
        {t('console.resend')}
      </Button>
    </Group>
  );
}
