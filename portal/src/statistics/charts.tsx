import { BarChart, LineChart } from '@mantine/charts';
import { Card, Group, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber, formatPercent } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { Statistics } from './use-statistics.ts';
import { shortDay } from './short-day.ts';

/** Without room above the plot, the top label moves down and hides the one below it. */
const roomForTopLabel = { top: 10 };

/** Orders per day, by their current status. */
export function OrdersChart({ statistics }: { statistics: Statistics | undefined }) {
  const t = useMessages();
  const days = statistics?.orders.days.map(({ day, by_status }) => ({
    day: shortDay(day),
    open: by_status.RECEIVED + by_status.READY_FOR_PICKUP + by_status.DISPATCHED,
    done: by_status.DELIVERED + by_status.PICKED_UP,
    cancelled: by_status.CANCELLED,
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
        <BarChart
          h={220}
          data={days}
          dataKey="day"
          type="stacked"
          withLegend
          tickLine="none"
          legendProps={{ verticalAlign: 'bottom' }}
          valueFormatter={formatNumber}
          xAxisProps={{ interval: 'equidistantPreserveStart' }}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          barChartProps={{ margin: roomForTopLabel }}
          series={[
            { name: 'done', label: t('charts.done'), color: 'aisle.6' },
            { name: 'open', label: t('charts.open'), color: 'blue.5' },
            { name: 'cancelled', label: t('charts.cancelled'), color: 'red.5' },
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
    day: shortDay(day),
    picked: share(items.picked, items.ordered),
    missing: share(items.not_found, items.ordered),
    replaced: share(items.replaced, items.ordered),
  }));
  const isPicked = days?.some(({ picked }) => picked !== null);
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('charts.picking')}
      </Title>
      {!days && <Skeleton height={180} />}
      {days && !isPicked && <NoData>{t('charts.noItems')}</NoData>}
      {days && isPicked && (
        <LineChart
          h={180}
          data={days}
          dataKey="day"
          withLegend
          tickLine="none"
          legendProps={{ verticalAlign: 'bottom' }}
          curveType="monotone"
          connectNulls
          yAxisProps={{ domain: [0, 100], ticks: [0, 50, 100], width: 48 }}
          lineChartProps={{ margin: roomForTopLabel }}
          xAxisProps={{ interval: 'equidistantPreserveStart', padding: { left: 16, right: 16 } }}
          valueFormatter={(value) => formatPercent(value, 100)}
          series={[
            { name: 'picked', label: t('charts.picked'), color: 'aisle.6' },
            { name: 'missing', label: t('charts.missing'), color: 'red.5' },
            { name: 'replaced', label: t('charts.replaced'), color: 'orange.6' },
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
