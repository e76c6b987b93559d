import { Alert, Badge, Box, Button, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconHandFinger } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { usePermission } from '../api/session.tsx';
import { Code } from '../kit/code.tsx';
import { Copyable } from '../kit/copy.tsx';
import { humanize } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { SandboxButtons } from './sandbox-buttons.tsx';
import { Expectation } from './expectation.tsx';
import { useStore } from '../api/store.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { CustomerCard, TotalsCard } from './order-cards.tsx';
import { OrderItems } from './order-items.tsx';
import { Timeline } from './timeline.tsx';
import { allows, findFulfilment, type Order } from './order.ts';
import { useOrder } from './use-order.ts';

export function OrderPage() {
  const { orderId } = useParams({ from: '/signed-in/orders/$orderId' });
  const order = useOrder(orderId);
  if (!order) return <Skeleton height={400} />;
  return (
    <Page
      title={`Order ${order.order_code}`}
      about={<Copyable value={order.order_id} label="Copy order id" />}
      actions={<Actions order={order} />}
    >
      <Group gap="sm">
        <State value={order.status} />
        {order.is_test && (
          <Badge variant="outline" color="gray" tt="none">
            test order
          </Badge>
        )}
        {order.comment && <Text size="sm">“{order.comment}”</Text>}
      </Group>
      {order.cancellation && (
        <Alert color="red" title={`Cancelled by ${humanize(order.cancellation.cancelled_by).toLowerCase()}`}>
          Reason: {order.cancellation.reason}
          {order.cancellation.post_picked_up && '. The rider had already picked it up.'}
        </Alert>
      )}
      {order.is_test && <Expectation orderId={order.order_id} />}
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
            <Timeline orderId={order.order_id} />
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
  return <Code label="API response" language="json" text={JSON.stringify(order, null, 2)} maxHeight={320} />;
}

function Actions({ order }: { order: Order }) {
  const may = usePermission();
  const { stores } = useStore();
  const isTestStore = stores.some((store) => store.vendor_id === order.client.store_id && store.test);
  return (
    <>
      <ButtonLink to="/orders" variant="default" leftSection={<IconArrowLeft size={16} />}>
        Orders
      </ButtonLink>
      {isTestStore && <SandboxButtons order={order} />}
      {may('putOrder') && allows(order, 'CANCELLED') && <CancelOrder order={order} />}
      {may('putOrder') && findFulfilment(order) && (
        <Button component="a" href={`/pick/orders/${order.order_id}`} leftSection={<IconHandFinger size={16} />}>
          Pick
        </Button>
      )}
    </>
  );
}
