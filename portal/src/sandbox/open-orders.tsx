import { Card, Group, NumberInput, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { TextLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import type { Order } from '../orders/use-order.ts';
import { useStore } from '../shell/store.tsx';
import { nextMoves } from './moves.ts';
import { PlayButtons, usePlay } from './play-buttons.tsx';

/** The latest orders of the store, each with what the platform's side could do next; a rider may come by itself. */
export function OpenOrders() {
  const { store } = useStore();
  const [isAutomatic, setAutomatic] = useState(false);
  const [seconds, setSeconds] = useState(5);
  const { data } = useRead(
    'listOrders',
    { params: { vendor_id: store.vendor_id }, query: { page_size: 10 } },
    { refetchInterval: 2000 },
  );
  return (
    <Card padding="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Play the rider</Title>
          <Group gap="xs">
            <Switch
              label="Automatic rider after"
              checked={isAutomatic}
              onChange={(event) => setAutomatic(event.currentTarget.checked)}
            />
            <NumberInput
              size="xs"
              w={80}
              min={1}
              max={600}
              suffix=" s"
              aria-label="Seconds until the rider comes"
              value={seconds}
              onChange={(value) => setSeconds(Number(value) || 1)}
            />
          </Group>
        </Group>
        <Text size="sm" c="dimmed">
          The automatic rider comes while this page is open.
        </Text>
        {!data && <Skeleton height={200} />}
        {data?.orders.length === 0 && (
          <Text size="sm" c="dimmed">
            No orders yet. Place one, and it appears here.
          </Text>
        )}
        {data?.orders.map((order) => (
          <OrderLine key={order.order_id} order={order} rider={isAutomatic ? seconds : undefined} />
        ))}
      </Stack>
    </Card>
  );
}

function OrderLine({ order, rider }: { order: Order; rider: number | undefined }) {
  useAutomaticRider(order, rider);
  return (
    <Group justify="space-between" component="section" aria-label={`Order ${order.order_code}`} gap="xs" mih={30}>
      <Group gap="sm" wrap="nowrap">
        <TextLink to="/orders/$orderId" params={{ orderId: order.order_id }} className="mono" fw={600} size="sm">
          {order.order_code}
        </TextLink>
        <State value={order.status} />
        <Time at={order.sys.created_at} />
      </Group>
      <Group gap="xs" ml="auto">
        <PlayButtons order={order} size="xs" />
      </Group>
    </Group>
  );
}

/** Makes the next move of the platform's side once the order has stood like this for so many seconds. */
function useAutomaticRider(order: Order, seconds: number | undefined): void {
  const { mutate } = usePlay(order.order_id);
  const [move] = nextMoves(order);
  useEffect(() => {
    if (seconds === undefined || !move) return undefined;
    const timer = setTimeout(() => mutate(move), seconds * 1000);
    return () => clearTimeout(timer);
  }, [order.status, seconds, move?.id]);
}
