import { transportTypes } from '@aisle/contract/identity';
import { cancellingParties } from '@aisle/contract/order';
import { Button, Card, Group, Radio, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import type { Body } from '../api/operations.ts';
import { humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { useStore } from '../api/store.tsx';
import { BasketEditor, type BasketLine, usePrefilledBasket } from '../catalog/basket.tsx';

type TestOrder = Body<'createTestOrder'>;
type Ending = TestOrder['status'];

/** The fields listed in the specification: outcome, delivery type, who cancels and why, and the items. */
export function TestOrderForm() {
  const { store } = useStore();
  const navigate = useNavigate();
  const [status, setStatus] = useState<Ending>('READY_FOR_PICKUP');
  const [transport, setTransport] = useState<TestOrder['transport_type']>(store.transport_type);
  const [party, setParty] = useState<NonNullable<TestOrder['cancelled_by']>>('CUSTOMER');
  const [reason, setReason] = useState('CHANGED_MIND');
  const [lines, setLines] = usePrefilledBasket(store.vendor_id);
  const send = useChange('createTestOrder', ['listOrders']);
  const submit = () =>
    send.mutate(
      {
        params: { vendor_id: store.vendor_id },
        body: {
          status,
          transport_type: transport,
          ...(status === 'CANCELLED' && { cancelled_by: party, reason }),
          items: lines.map(itemOf),
        },
      },
      {
        onSuccess: ({ order_id, order_code }) => {
          notifyDone(`Test order ${order_code} sent to your webhook.`);
          void navigate({ to: '/orders/$orderId', params: { orderId: order_id } });
        },
      },
    );
  return (
    <Stack maw={860}>
      <Card padding="lg">
        <Stack>
          <Radio.Group
            label="Order status"
            description="How should this order end?"
            value={status}
            onChange={setStatus}
          >
            <Group mt="xs">
              <Radio value="READY_FOR_PICKUP" label="Fulfilled by you" />
              <Radio value="CANCELLED" label="Cancelled automatically" />
            </Group>
          </Radio.Group>
          <Stack gap={4}>
            <Text size="sm" fw={500} id="delivery-type">
              Delivery type
            </Text>
            <SegmentedControl
              aria-labelledby="delivery-type"
              w="fit-content"
              value={transport}
              onChange={setTransport}
              data={transportTypes.map((value) => ({ value, label: transportLabels[value] }))}
            />
          </Stack>
          {status === 'CANCELLED' && (
            <Group align="flex-start">
              <Select
                label="Cancelled by"
                data={cancellingParties.map((value) => ({ value, label: humanize(value) }))}
                value={party}
                onChange={(value) => value && setParty(value)}
                allowDeselect={false}
              />
              <TextInput
                label="Reason"
                value={reason}
                maxLength={64}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            </Group>
          )}
        </Stack>
      </Card>
      <Card padding="lg">
        <Title order={2}>Items</Title>
        <Text size="sm" c="dimmed" mb="sm">
          Choose the expected outcome for each item. It is compared with the actual outcome.
        </Text>
        <BasketEditor lines={lines} onChange={setLines} vendorId={store.vendor_id} hasOutcome />
      </Card>
      <Group>
        <Button
          leftSection={<IconSend size={16} />}
          onClick={submit}
          loading={send.isPending}
          disabled={lines.length === 0 || (status === 'CANCELLED' && reason.trim() === '')}
        >
          Send test order
        </Button>
      </Group>
    </Stack>
  );
}

const transportLabels: Record<TestOrder['transport_type'], string> = {
  LOGISTICS_DELIVERY: 'Platform delivery',
  VENDOR_DELIVERY: 'Store delivery',
};

function itemOf({ product, outcome, amount }: BasketLine): TestOrder['items'][number] {
  return { sku: product.sku, status: outcome, ...(product.isSoldByWeight ? { weight: amount } : { quantity: amount }) };
}
