import { Alert, Badge, Box, Button, Grid, Group, Skeleton, Stack } from '@mantine/core';
import { IconArrowLeft, IconHandFinger } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { usePermission } from '../api/session.tsx';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { humanize } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { SandboxButtons } from './sandbox-buttons.tsx';
import { Expectation } from './expectation.tsx';
import { useStore } from '../api/store.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { CustomerCard, TotalsCard } from './order-cards.tsx';
import { Quoted } from './quoted.tsx';
import { OrderItems } from './order-items.tsx';
import { Timeline } from './timeline.tsx';
import { allows, findFulfilment, isFromCertification, type Order } from './order.ts';
import { useOrder } from './use-order.ts';

export function OrderPage() {
  const t = useMessages();
  const { orderId } = useParams({ from: '/signed-in/orders/$orderId' });
  const order = useOrder(orderId);
  if (!order) return <Skeleton height={400} />;
  return (
    <Page
      title={t('orders.named', { code: order.order_code })}
      about={<Copyable value={order.order_id} label={t('orders.copyId')} />}
      actions={<Actions order={order} />}
    >
      <Group gap="sm">
        <State value={order.status} />
        {order.is_test && (
          <Badge variant="outline" color="gray" tt="none">
            {t('orders.testOrder')}
          </Badge>
        )}
        {order.comment && <Quoted size="sm" text={order.comment} />}
      </Group>
      {order.cancellation && (
        <Alert
          color="red"
          title={t('orders.cancelledBy', { who: humanize(order.cancellation.cancelled_by).toLowerCase() })}
        >
          {t(order.cancellation.post_picked_up ? 'orders.reasonAfterPickup' : 'orders.reasonIs', {
            reason: humanize(order.cancellation.reason),
          })}
        </Alert>
      )}
      {order.is_test && !isFromCertification(order) && <Expectation orderId={order.order_id} />}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <OrderItems order={order} />
            <Box visibleFrom="lg">
              <RawOrder order={order} />
            </Box>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <TotalsCard order={order} />
            <CustomerCard order={order} />
            <Timeline order={order} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Box hiddenFrom="lg">
        <RawOrder order={order} />
      </Box>
    </Page>
  );
}

/** The API response, for developers. On small screens, it is shown last. */
function RawOrder({ order }: { order: Order }) {
  const t = useMessages();
  return <Code label={t('orders.apiResponse')} language="json" text={JSON.stringify(order, null, 2)} maxHeight={320} />;
}

function Actions({ order }: { order: Order }) {
  const t = useMessages();
  const may = usePermission();
  const { stores } = useStore();
  const isTestStore = stores.some((store) => store.vendor_id === order.client.store_id && store.test);
  return (
    <>
      <ButtonLink to="/orders" variant="default" leftSection={<IconArrowLeft size={16} />}>
        {t('orders.title')}
      </ButtonLink>
      {isTestStore && <SandboxButtons order={order} />}
      {may('putOrder') && allows(order, 'CANCELLED') && <CancelOrder order={order} />}
      {may('putOrder') && findFulfilment(order) && (
        <Button component="a" href={`/pick/orders/${order.order_id}`} leftSection={<IconHandFinger size={16} />}>
          {t('orders.pick')}
        </Button>
      )}
    </>
  );
}
