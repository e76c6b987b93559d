import { Card, Group, NumberInput, Skeleton, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import { TextLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import type { Order } from '../orders/order.ts';
import { useStore } from '../api/store.tsx';
import { SandboxButtons } from '../orders/sandbox-buttons.tsx';
import { useMessages } from '../messages/use-messages.ts';

/** The store's latest orders, with buttons for what the customer or the rider can do next. */
export function OpenOrders() {
  const t = useMessages();
  const { store } = useStore();
  const { data } = useRead(
    'listOrders',
    { params: { vendor_id: store.vendor_id }, query: { page_size: 10 } },
    { refetchInterval: 2000 },
  );
  return (
    <Card padding="lg">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>{t('sandbox.rider')}</Title>
          <AutomaticRider key={store.vendor_id} />
        </Group>
        <Text size="sm" c="dimmed">
          {t('sandbox.riderHelp')}
        </Text>
        {!data && <Skeleton height={200} />}
        {data?.orders.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('sandbox.noOrders')}
          </Text>
        )}
        {data?.orders.map((order) => (
          <OrderLine key={order.order_id} order={order} />
        ))}
      </Stack>
    </Card>
  );
}

function OrderLine({ order }: { order: Order }) {
  const t = useMessages();
  return (
    <Group
      justify="space-between"
      component="section"
      aria-label={t('sandbox.order', { code: order.order_code })}
      gap="xs"
      mih={30}
      pt="xs"
      style={{ borderTop: '1px solid var(--aisle-line)' }}
    >
      <Group gap="sm">
        <TextLink
          to="/orders/$orderId"
          params={{ orderId: order.order_id }}
          className="mono tall"
          style={{ whiteSpace: 'nowrap' }}
          fw={600}
          size="sm"
        >
          {order.order_code}
        </TextLink>
        <State value={order.status} />
        <Time at={order.sys.created_at} />
      </Group>
      <Group gap="xs" ms="auto" justify="flex-end">
        <SandboxButtons order={order} size="xs" />
      </Group>
    </Group>
  );
}

/** The automatic rider runs on the server, whether or not this page is open. */
function AutomaticRider() {
  const t = useMessages();
  const { store } = useStore();
  const params = { vendor_id: store.vendor_id };
  const { data } = useRead('getSandboxRider', { params });
  const { mutate, isPending, variables } = useChange('putSandboxRider', ['getSandboxRider']);
  const [given, setGiven] = useState<number>();
  const seconds = given ?? data?.after_seconds ?? 5;
  // Shows the requested value until the server confirms it.
  const isOn = ((isPending ? variables.body.after_seconds : data?.after_seconds) ?? null) !== null;
  const set = (after_seconds: number | null) => mutate({ params, body: { after_seconds } });
  return (
    <Group gap="xs">
      <Switch
        label={t('sandbox.automaticRider')}
        checked={isOn}
        disabled={!data}
        onChange={(event) => set(event.currentTarget.checked ? seconds : null)}
      />
      <NumberInput
        size="xs"
        w={80}
        min={1}
        max={600}
        clampBehavior="strict"
        allowDecimal={false}
        suffix={t('sandbox.seconds')}
        aria-label={t('sandbox.secondsUntil')}
        value={seconds}
        onChange={(value) => setGiven(Number(value) || 1)}
        onBlur={() => isOn && seconds !== data?.after_seconds && set(seconds)}
      />
    </Group>
  );
}
