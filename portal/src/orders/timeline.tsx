import { Card, Group, Skeleton, Stack, Text, Timeline as Line, Title, Tooltip } from '@mantine/core';
import { IconBolt, IconClipboardCheck } from '@tabler/icons-react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { formatDateTime, formatRecentTime, humanize } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { describePicked } from './describe-picked.ts';
import type { Order } from './order.ts';
import type { Translate } from '../messages/catalogue.ts';

type History = ResponseBody<'getOrderHistory'>;
type Delivery = ResponseBody<'listDeliveries'>['deliveries'][number];
type Entry = { at: string; change?: History['changes'][number]; event?: History['events'][number] };

/** The order's changes and events. Each event is shown with its delivery. */
export function Timeline({ order }: { order: Order }) {
  const t = useMessages();
  const orderId = order.order_id;
  const history = useRead('getOrderHistory', { params: { order_id: orderId } }, { refetchInterval: 2000 });
  const deliveries = useRead(
    'listDeliveries',
    { query: { order_id: orderId, page_size: 100 } },
    { refetchInterval: 2000 },
  );
  const entries = history.data && merge(history.data);
  const deliveryOf = (id: string) => deliveries.data?.deliveries.find((delivery) => delivery.delivery_id === id);
  return (
    <Card>
      <Title order={2} mb="md">
        {t('orders.timeline')}
      </Title>
      {!entries && <Skeleton height={160} />}
      {entries && (
        <Line bulletSize={22} lineWidth={2} active={entries.length} styles={{ itemTitle: { fontSize: 14 } }}>
          {entries.map(({ at, change, event }, index) =>
            change ? (
              <Line.Item key={index} title={changeLabel(t, change)} bullet={<IconClipboardCheck size={13} />}>
                <ChangeDetails change={change} at={at} order={order} />
              </Line.Item>
            ) : (
              <Line.Item
                key={index}
                title={<span className="mono">{event?.type}</span>}
                bullet={<IconBolt size={13} />}
                lineVariant="dashed"
              >
                <EventDetails at={at} delivery={deliveryOf(event?.event_id ?? '')} />
              </Line.Item>
            ),
          )}
        </Line>
      )}
    </Card>
  );
}

/** Sorts by time. An event comes after the change that caused it. */
function merge({ changes, events }: History): Entry[] {
  const entries: Entry[] = [
    ...changes.map((change) => ({ at: change.at, change })),
    ...events.map((event) => ({ at: event.created_at, event })),
  ];
  return entries.toSorted(
    (a, b) => a.at.localeCompare(b.at) || Number(a.change === undefined) - Number(b.change === undefined),
  );
}

function changeLabel(t: Translate, { action, to_status }: History['changes'][number]): string {
  const [done, status] = [humanize(action), humanize(to_status)];
  return done === status ? done : t('orders.changeTo', { action: done, status: status.toLowerCase() });
}

type ChangeProps = { change: History['changes'][number]; at: string; order: Order };

function ChangeDetails({ change, at, order }: ChangeProps) {
  const t = useMessages();
  return (
    <Stack gap={2}>
      <Moment at={at} by={change.actor} />
      {change.items.map((item, index) => (
        <Text key={index} size="xs">
          <bdi>{item.name}</bdi>: {describePicked(t, order, item._id) ?? item.change}
        </Text>
      ))}
    </Stack>
  );
}

function EventDetails({ at, delivery }: { at: string; delivery: Delivery | undefined }) {
  const t = useMessages();
  return (
    <Stack gap={4}>
      <Moment at={at} />
      {delivery ? (
        <Group gap={6}>
          <State value={delivery.status} />
          <TextLink to="/integration/deliveries" search={{ open: delivery.delivery_id }} size="xs">
            {t('orders.attempts', { count: delivery.attempt_count })}
          </TextLink>
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          {t('orders.noWebhook')}
        </Text>
      )}
    </Stack>
  );
}

function Moment({ at, by }: { at: string; by?: string }) {
  return (
    <Tooltip label={formatDateTime(at)}>
      <Text size="xs" c="dimmed" w="fit-content">
        {formatRecentTime(at)}
        {by && ` · ${humanize(by.split(':')[0] ?? by).toLowerCase()}`}
      </Text>
    </Tooltip>
  );
}
