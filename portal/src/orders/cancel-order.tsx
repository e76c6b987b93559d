import { partnerReasons } from '@aisle/contract/order';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { notifyDone } from '../kit/notify.ts';
import type { Order } from './order.ts';

type Reason = (typeof partnerReasons)[number];

const reasonLabels: Record<Reason, string> = {
  CLOSED: 'Store is closed',
  ITEM_UNAVAILABLE: 'Items unavailable',
  TOO_BUSY: 'Store is too busy',
};

/** Cancels the order on behalf of the store. Unlike other cancellations, this sends no event. */
export function CancelOrder({ order }: { order: Order }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState<Reason>('ITEM_UNAVAILABLE');
  const put = useChange('putOrder', ['getOrder', 'getOrderHistory', 'listOrders', 'getTestOrder']);
  const cancel = () =>
    put.mutate(
      { params: { order_id: order.order_id }, body: { status: 'CANCELLED', items: [], cancellation: { reason } } },
      {
        onSuccess: () => {
          notifyDone(`Order ${order.order_code} cancelled.`);
          close();
        },
      },
    );
  return (
    <>
      <Button variant="default" onClick={open}>
        Cancel order
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Cancel order ${order.order_code}?`} size="md">
        <Stack>
          <Radio.Group label="Reason" value={reason} onChange={setReason}>
            <Stack gap="xs" mt={6}>
              {partnerReasons.map((value) => (
                <Radio key={value} value={value} label={reasonLabels[value]} />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            The customer is notified. This cannot be undone.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Keep order
            </Button>
            <Button color="red.8" onClick={cancel} loading={put.isPending}>
              Cancel order
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
