import { partnerReasons } from '@aisle/contract/order';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { Order } from './order.ts';

type Reason = (typeof partnerReasons)[number];

/** Cancels the order on behalf of the store. Unlike other cancellations, this sends no event. */
export function CancelOrder({ order }: { order: Order }) {
  const t = useMessages();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState<Reason>('ITEM_UNAVAILABLE');
  const put = useChange('putOrder', ['getOrder', 'getOrderHistory', 'listOrders', 'getTestOrder']);
  const cancel = () =>
    put.mutate(
      { params: { order_id: order.order_id }, body: { status: 'CANCELLED', items: [], cancellation: { reason } } },
      {
        onSuccess: () => {
          notifyDone(t('orders.cancelled', { code: order.order_code }));
          close();
        },
      },
    );
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('orders.cancel')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('orders.cancelAsk', { code: order.order_code })} size="md">
        <Stack>
          <Radio.Group label={t('orders.reason')} value={reason} onChange={setReason}>
            <Stack gap="xs" mt={6}>
              {partnerReasons.map((value) => (
                <Radio key={value} value={value} label={t(`orders.reason.${value}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            {t('orders.cancelHelp')}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('orders.keep')}
            </Button>
            <Button color="red.8" onClick={cancel} loading={put.isPending}>
              {t('orders.cancel')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
