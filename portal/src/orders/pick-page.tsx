import { Alert, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ProductPicker } from '../catalog/product-picker.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { humanize } from '../kit/format.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { addProduct, type Cart, countOpen, emptyCart, hasPickedItems, putBody } from './cart.ts';
import { CancelOrder } from './cancel-order.tsx';
import { AdditionLine, PickLine } from './pick-line.tsx';
import { Validation } from './validation.tsx';
import { allows, findFulfilment, type Order } from './order.ts';
import { useOrder } from './use-order.ts';

/** Lets stores without a picking device pick orders. Sends the same request as a device. */
export function PickPage() {
  const { orderId } = useParams({ from: '/signed-in/orders/$orderId/pick' });
  const order = useOrder(orderId);
  if (!order) return <Skeleton height={400} />;
  return <Picking key={order.order_id} order={order} />;
}

function Picking({ order }: { order: Order }) {
  const navigate = useNavigate();
  const may = usePermission();
  const [cart, setCart] = useState<Cart>(() => emptyCart(order));
  const [isAdding, setAdding] = useState(false);
  const put = useChange('putOrder', ['getOrder', 'getOrderHistory', 'listOrders', 'getTestOrder']);
  const check = useChange('putOrder');
  const params = { order_id: order.order_id };
  const open = countOpen(cart);
  const fulfilment = findFulfilment(order);
  const change = (next: Cart) => {
    setCart(next);
    check.reset();
  };
  const fulfil = (status: NonNullable<typeof fulfilment>) =>
    put.mutate(
      { params, body: putBody(order, cart, status) },
      {
        onSuccess: () => {
          notifyDone(`Order ${order.order_code} fulfilled.`);
          void navigate({ to: '/orders/$orderId', params: { orderId: order.order_id } });
        },
      },
    );
  if (!fulfilment) return put.isPending ? null : <NothingToPick order={order} />;
  if (!may('putOrder')) return <MayNotPick order={order} />;
  return (
    <Page
      title={`Pick ${order.order_code}`}
      about={order.comment ? `“${order.comment}”` : 'Mark each item as found, not found or replaced.'}
      actions={
        <>
          <ButtonLink
            to="/orders/$orderId"
            params={{ orderId: order.order_id }}
            variant="default"
            leftSection={<IconArrowLeft size={16} />}
          >
            Order
          </ButtonLink>
          {allows(order, 'CANCELLED') && <CancelOrder order={order} />}
        </>
      }
    >
      <Stack gap="sm">
        {order.items.map((item) => (
          <PickLine key={item._id} item={item} vendorId={order.client.store_id} cart={cart} onChange={change} />
        ))}
        {cart.additions.map((addition) => (
          <AdditionLine key={addition.key} addition={addition} cart={cart} onChange={change} />
        ))}
        <Group>
          <Button size="md" variant="default" leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
            Add item
          </Button>
        </Group>
      </Stack>
      {check.data && <Validation result={check.data} before={order} />}
      <Card style={{ position: 'sticky', bottom: 12, zIndex: 5 }} shadow="sm">
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {open === 0 ? 'All items picked' : `${order.items.length - open} of ${order.items.length} picked`}
          </Text>
          <Group gap="xs">
            <Button
              size="md"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate({ params, body: putBody(order, cart, 'UPDATE_CART') })}
            >
              Check cart
            </Button>
            <Button
              size="md"
              loading={put.isPending}
              disabled={open > 0 || !hasPickedItems(cart)}
              onClick={() => fulfil(fulfilment)}
            >
              {fulfilment === 'READY_FOR_PICKUP' ? 'Ready for pickup' : 'Dispatch'}
            </Button>
          </Group>
        </Group>
      </Card>
      {isAdding && (
        <ProductPicker
          title="Add item"
          vendorId={order.client.store_id}
          onClose={() => setAdding(false)}
          onChoose={(product) => {
            change(
              addProduct(cart, {
                key: `${product.sku} ${cart.additions.length}`,
                product,
                amount: { quantity: 1, weight: 1 },
              }),
            );
            setAdding(false);
          }}
        />
      )}
    </Page>
  );
}

function MayNotPick({ order }: { order: Order }) {
  return (
    <Page title={`Pick ${order.order_code}`}>
      <NotAllowed>You have read-only access. Only managers and owners can pick orders.</NotAllowed>
    </Page>
  );
}

function NothingToPick({ order }: { order: Order }) {
  return (
    <Page title={`Pick ${order.order_code}`}>
      <Alert color="gray" title="Nothing to pick">
        <Stack align="flex-start">
          This order is already {humanize(order.status).toLowerCase()}.
          <ButtonLink to="/orders/$orderId" params={{ orderId: order.order_id }} variant="default">
            View order
          </ButtonLink>
        </Stack>
      </Alert>
    </Page>
  );
}
