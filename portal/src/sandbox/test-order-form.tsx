import { transportTypes } from '@aisle/contract/identity';
import { cancellingParties } from '@aisle/contract/order';
import {
  Button,
  Card,
  Group,
  Input,
  Radio,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import type { Body } from '../api/operations.ts';
import { humanize } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { useStore } from '../api/store.tsx';
import { BasketEditor, type BasketLine, usePrefilledBasket } from '../catalog/basket.tsx';
import { useMessages } from '../messages/use-messages.ts';

type TestOrder = Body<'createTestOrder'>;
type Ending = TestOrder['status'];

/** The fields listed in the specification: outcome, delivery type, who cancels and why, and the items. */
export function TestOrderForm() {
  const t = useMessages();
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
          notifyDone(t('testOrder.sent', { code: order_code }));
          void navigate({ to: '/orders/$orderId', params: { orderId: order_id } });
        },
      },
    );
  return (
    <Stack maw={860}>
      <Card padding="lg">
        <Stack>
          <Radio.Group
            label={t('testOrder.status')}
            description={t('testOrder.statusHelp')}
            value={status}
            onChange={setStatus}
          >
            <Group mt="xs">
              <Radio value="READY_FOR_PICKUP" label={t('testOrder.fulfilled')} />
              <Radio value="CANCELLED" label={t('testOrder.cancelled')} />
            </Group>
          </Radio.Group>
          <Stack gap={4}>
            <Input.Label labelElement="div" id="delivery-type">
              {t('testOrder.deliveryType')}
            </Input.Label>
            <SegmentedControl
              aria-labelledby="delivery-type"
              w={{ base: '100%', xs: 'fit-content' }}
              value={transport}
              onChange={setTransport}
              data={transportTypes.map((value) => ({ value, label: t(`testOrder.transport.${value}`) }))}
            />
          </Stack>
          {status === 'CANCELLED' && (
            <Group align="flex-start">
              <Select
                label={t('testOrder.cancelledBy')}
                data={cancellingParties.map((value) => ({ value, label: humanize(value) }))}
                value={party}
                onChange={(value) => value && setParty(value)}
                allowDeselect={false}
              />
              <TextInput
                label={t('testOrder.reason')}
                value={reason}
                maxLength={64}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            </Group>
          )}
        </Stack>
      </Card>
      <Card padding="lg">
        <Title order={2}>{t('testOrder.items')}</Title>
        <Text size="sm" c="dimmed" mb="sm">
          {t('testOrder.itemsHelp')}
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
          {t('testOrder.send')}
        </Button>
      </Group>
    </Stack>
  );
}

function itemOf({ product, outcome, amount }: BasketLine): TestOrder['items'][number] {
  return { sku: product.sku, status: outcome, ...(product.isSoldByWeight ? { weight: amount } : { quantity: amount }) };
}
