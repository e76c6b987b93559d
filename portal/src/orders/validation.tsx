import { Alert, List, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ResponseBody } from '../api/operations.ts';
import { formatMoney } from '../kit/format.ts';
import type { Order } from './order.ts';

/** The result of validating a cart without submitting it. */
export function Validation({ result, before }: { result: ResponseBody<'putOrder'>; before: Order }) {
  const { order_total, currency } = result.payment;
  return (
    <Alert color="teal" icon={<IconCircleCheck size={18} />} title="The cart is valid. It has not been submitted yet.">
      <Text size="sm">
        New total: {formatMoney(order_total, currency)}. Total when ordered:{' '}
        {formatMoney(before.payment.order_total, currency)}.
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
