import { Alert, List, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ResponseBody } from '../api/operations.ts';
import { money } from '../kit/format.ts';
import type { Order } from './order.ts';

/** What the server says about a cart that was only checked. */
export function Validation({ result, before }: { result: ResponseBody<'putOrder'>; before: Order }) {
  const { order_total, currency } = result.payment;
  return (
    <Alert color="teal" icon={<IconCircleCheck size={18} />} title="The cart is valid; nothing was stored">
      <Text size="sm">
        The customer would pay {money(order_total, currency)} (ordered: {money(before.payment.order_total, currency)}).
      </Text>
      {result.warnings && (
        <List size="sm" mt="xs">
          {result.warnings.map((warning) => (
            <List.Item key={warning.pointer + warning.code}>{warning.message}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
