import { Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Chart } from '../kit/chart.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { currentLanguage } from '../messages/language.ts';
import { useMessages } from '../messages/use-messages.ts';
import { EndedAlerts, OpenAlerts } from './alerts.tsx';
import { type PlatformBody, usePlatform } from './api.ts';
import { ConsoleLink, PlainLink, type Target } from './links.tsx';

type Numbers = PlatformBody<'platformGetOverview'>;

/** What is happening on the platform now. Every number is a link to the list behind it. */
export function Overview() {
  const t = useMessages();
  const { data } = usePlatform('platformGetOverview', {}, { refetchInterval: 10_000 });
  return (
    <Page title={t('console.overview')} about={t('console.overviewAbout')}>
      <OpenAlerts />
      {data ? <Tiles numbers={data} /> : <Skeleton height={180} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <MinutesChart numbers={data} />
        <Stack>
          <OpenOrders numbers={data} />
          <ClosedStores numbers={data} />
        </Stack>
      </SimpleGrid>
      <EndedAlerts />
    </Page>
  );
}

function Tiles({ numbers }: { numbers: Numbers }) {
  const t = useMessages();
  const seconds = (count: number) => t('console.oldest', { age: ageOf(count) });
  const lastMinutes = numbers.orders_per_minute.slice(-6, -1);
  const rate = lastMinutes.reduce((sum, { orders }) => sum + orders, 0) / Math.max(1, lastMinutes.length);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }}>
      <Tile
        label={t('console.ordersPerMinute')}
        value={Math.round(rate * 10) / 10}
        note={t('console.lastFiveMinutes')}
        to="/orders"
      />
      <Tile label={t('console.lateOrders')} value={numbers.late_orders} to="/orders" search={{ is_late: true }} isBad />
      <Tile
        label={t('console.closedStores')}
        value={numbers.closed_stores.reduce((sum, { stores }) => sum + stores, 0)}
        to="/closed-stores"
      />
      <Tile label={t('console.failingEndpoints')} value={numbers.failing_endpoints} to="/endpoints" isBad />
      <Tile
        label={t('console.waitingDeliveries')}
        value={numbers.deliveries.waiting}
        note={numbers.deliveries.waiting > 0 ? seconds(numbers.deliveries.oldest_seconds) : undefined}
        to="/endpoints"
      />
      <Tile
        label={t('console.queue')}
        value={numbers.queue.tasks}
        note={numbers.queue.tasks > 0 ? seconds(numbers.queue.oldest_seconds) : undefined}
        to="/jobs"
      />
      <Tile label={t('console.deadTasks')} value={numbers.dead_tasks} to="/tasks" isBad />
      <Tile label={t('console.runningJobs')} value={numbers.running_jobs} to="/jobs" />
    </SimpleGrid>
  );
}

type TileProps = Target & { label: string; value: number; note?: string | undefined; isBad?: boolean };

/** The whole tile is a link. A number that needs attention is red. */
function Tile({ label, value, note, isBad = false, to, search }: TileProps) {
  return (
    <Card
      className="tile-link"
      renderRoot={(props) => <PlainLink to={to} {...(search && { search })} {...props} />}
      td="none"
      c="var(--mantine-color-text)"
    >
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={700} lh={1.2} {...(isBad && value > 0 && { c: 'var(--mantine-color-error)' })}>
        {formatNumber(value)}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {note}
      </Text>
    </Card>
  );
}

function ageOf(seconds: number): string {
  const [value, unit]: [number, string] =
    seconds < 120 ? [seconds, 'second'] : seconds < 7200 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  const format = new Intl.NumberFormat(currentLanguage().locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
  });
  return format.format(Math.round(value));
}

function MinutesChart({ numbers }: { numbers: Numbers | undefined }) {
  const t = useMessages();
  const time = new Intl.DateTimeFormat(currentLanguage().locale, { hour: '2-digit', minute: '2-digit' });
  const data = numbers?.orders_per_minute.map(({ minute, orders }) => ({
    label: time.format(new Date(minute)),
    values: [orders],
  }));
  const total = numbers?.orders_per_minute.reduce((sum, { orders }) => sum + orders, 0) ?? 0;
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('console.lastHour')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.ordersTotal', { count: total })}
        </Text>
      </Group>
      {data ? (
        <Chart
          label={t('console.lastHour')}
          height={210}
          points={data}
          series={[{ label: t('console.orders'), color: 'aisle-6' }]}
        />
      ) : (
        <Skeleton height={240} />
      )}
    </Card>
  );
}

function OpenOrders({ numbers }: { numbers: Numbers | undefined }) {
  const t = useMessages();
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('console.openOrders')}
      </Title>
      {numbers?.open_orders.length === 0 && <Text c="dimmed">{t('console.none')}</Text>}
      <Stack gap="xs">
        {numbers?.open_orders.map(({ status, orders }) => (
          <Group key={status} justify="space-between">
            <State value={status} />
            <ConsoleLink to="/orders" search={{ status }} size="sm" underline="always">
              {formatNumber(orders)}
            </ConsoleLink>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function ClosedStores({ numbers }: { numbers: Numbers | undefined }) {
  const t = useMessages();
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('console.whyClosed')}
      </Title>
      {numbers?.closed_stores.length === 0 && <Text c="dimmed">{t('console.allOpen')}</Text>}
      <Stack gap="xs">
        {numbers?.closed_stores.map(({ reason, stores }) => (
          <Group key={reason} justify="space-between">
            <Text size="sm">{humanize(reason)}</Text>
            <ConsoleLink to="/closed-stores" size="sm" underline="always">
              {formatNumber(stores)}
            </ConsoleLink>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
