import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { notifyFailure } from '../api/notify-failure.ts';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { Order } from './order.ts';
import { listSandboxActions, type SandboxAction } from './sandbox-actions.ts';

type SandboxButtonsProps = { order: Order; size?: 'xs' | 'sm' };

/** Buttons that simulate the rider and the customer in a test store. */
export function SandboxButtons({ order, size = 'sm' }: SandboxButtonsProps) {
  const t = useMessages();
  const may = usePermission();
  const simulate = useSandboxAction(order.order_id);
  if (!may('sandboxPickUpOrder')) return null;
  return (
    <>
      {listSandboxActions(order).map((action) => (
        <Button
          key={action.action}
          size={size}
          variant={action.action === 'cancel' ? 'default' : 'light'}
          loading={simulate.isPending}
          onClick={() => simulate.mutate(action)}
        >
          {t(action.label)}
        </Button>
      ))}
    </>
  );
}

function useSandboxAction(orderId: string) {
  const t = useMessages();
  const { chain } = useSession();
  const client = useQueryClient();
  const params = { order_id: orderId };
  return useMutation({
    mutationFn: ({ operation }: SandboxAction) => {
      if (operation !== 'sandboxCancelOrder') return call(chain.chain_id, operation, { params });
      return call(chain.chain_id, operation, { params, body: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' } });
    },
    onError: notifyFailure,
    onSuccess: async (_order, { done }) => {
      notifyDone(t(done));
      const changed = ['getOrder', 'getOrderHistory', 'listOrders', 'listDeliveries', 'getTestOrder'];
      await Promise.all(changed.map((id) => client.invalidateQueries({ queryKey: [id] })));
    },
  });
}
