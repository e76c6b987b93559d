import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { usePermission, useSession } from '../api/session.tsx';
import { notifyFailure } from '../api/notify-failure.ts';
import { notifyDone } from '../kit/notify.ts';
import type { Order } from './order.ts';
import { type Move, nextMoves } from './moves.ts';

type PlayProps = { order: Order; size?: 'xs' | 'sm' };

/** Buttons that simulate the rider and the customer in a test store. */
export function PlayButtons({ order, size = 'sm' }: PlayProps) {
  const may = usePermission();
  const play = usePlay(order.order_id);
  if (!may('sandboxPickUpOrder')) return null;
  return (
    <>
      {nextMoves(order).map((move) => (
        <Button
          key={move.action}
          size={size}
          variant={move.action === 'cancel' ? 'default' : 'light'}
          loading={play.isPending}
          onClick={() => play.mutate(move)}
        >
          {move.label}
        </Button>
      ))}
    </>
  );
}

function usePlay(orderId: string) {
  const { chain } = useSession();
  const client = useQueryClient();
  const params = { order_id: orderId };
  return useMutation({
    mutationFn: ({ operation }: Move) => {
      if (operation !== 'sandboxCancelOrder') return call(chain.chain_id, operation, { params });
      return call(chain.chain_id, operation, { params, body: { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' } });
    },
    onError: notifyFailure,
    onSuccess: async (_order, { done }) => {
      notifyDone(done);
      const changed = ['getOrder', 'getOrderHistory', 'listOrders', 'listDeliveries', 'getTestOrder'];
      await Promise.all(changed.map((id) => client.invalidateQueries({ queryKey: [id] })));
    },
  });
}
