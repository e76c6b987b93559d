import { Card, Group, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Chart } from '../kit/chart.tsx';
import { formatPercent } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { Statistics } from './use-statistics.ts';
import { shortDay } from './short-day.ts';

/** Orders per day, by their current status. */
export function OrdersChart({ statistics }: { statistics: Statistics | undefined }) {
  const t = useMessages();
  const days = statistics?.orders.days.map(({ day, by_status }) => ({
    label: shortDay(day),
    values: [
      by_status.DELIVERED + by_status.PICKED_UP,
      by_status.RECEIVED + by_status.READY_FOR_PICKUP + by_status.DISPATCHED,
      by_status.CANCELLED,
    ],
  }));
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('charts.orders')}</Title>
        <Text size="sm" c="dimmed">
          {statistics && t('charts.total', { total: statistics.orders.total })}
        </Text>
      </Group>
      {!days && <Skeleton height={220} />}
      {statistics?.orders.total === 0 && <NoData>{t('charts.noOrders')}</NoData>}
      {days && statistics && statistics.orders.total > 0 && (
        <Chart
          label={t('charts.orders')}
          points={days}
          height={190}
          series={[
            { label: t('charts.done'), color: 'aisle-6' },
            { label: t('charts.open'), color: 'blue-5' },
            { label: t('charts.cancelled'), color: 'red-5' },
          ]}
        />
      )}
    </Card>
  );
}

/** How items in fulfilled orders were picked, per day. */
export function RatesChart({ statistics }: { statistics: Statistics | undefined }) {
  const t = useMessages();
  const share = (part: number, whole: number) => (whole === 0 ? null : Math.round((1000 * part) / whole) / 10);
  const days = statistics?.orders.days.map(({ day, items }) => ({
    label: shortDay(day),
    values: [items.picked, items.not_found, items.replaced].map((part) => share(part, items.ordered)),
  }));
  const isPicked = days?.some(({ values }) => values.some((value) => value !== null));
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('charts.picking')}
      </Title>
      {!days && <Skeleton height={180} />}
      {days && !isPicked && <NoData>{t('charts.noItems')}</NoData>}
      {days && isPicked && (
        <Chart
          kind="lines"
          label={t('charts.picking')}
          points={days}
          height={150}
          ticks={[0, 50, 100]}
          format={(value) => formatPercent(value, 100)}
          series={[
            { label: t('charts.picked'), color: 'aisle-6' },
            { label: t('charts.missing'), color: 'red-5' },
            { label: t('charts.replaced'), color: 'orange-6' },
          ]}
        />
      )}
    </Card>
  );
}

function NoData({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
