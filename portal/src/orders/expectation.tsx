import { Box, Card, Group, Table, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { humanize } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Translate } from '../messages/catalogue.ts';
import { Rich } from '../messages/rich.tsx';
import { allows } from './order.ts';

type TestOrder = ResponseBody<'getTestOrder'>;
type Verdict = 'met' | 'missed' | 'open';

/** Compares the expected outcome of a test order with the actual one. */
export function Expectation({ orderId }: { orderId: string }) {
  const t = useMessages();
  const { data } = useRead(
    'getTestOrder',
    { params: { order_id: orderId } },
    { refetchInterval: 2000, throwOnError: false },
  );
  if (!data) return null;
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('orders.expectedVsActual')}
      </Title>
      <Table aria-label={t('orders.expectedVsActual')} highlightOnHover={false} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('orders.item')}</Table.Th>
            <Table.Th>{t('orders.expected')}</Table.Th>
            <Table.Th>{t('orders.actual')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(t, data).map(({ item, expected, actual, verdict }) => (
            <Table.Tr key={item}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{item}</Table.Td>
              <Table.Td>{humanize(expected)}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Box flex="none" lh={0}>
                    <Mark verdict={verdict} />
                  </Box>
                  <Text size="sm">{humanize(actual)}</Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        {data.order.status === 'RECEIVED' && data.expected.status !== 'CANCELLED' ? (
          <Rich
            message="orders.fulfilHelp"
            values={{
              link: (
                <InlineLink to="/orders/$orderId/pick" params={{ orderId }}>
                  {t('orders.pickHere')}
                </InlineLink>
              ),
            }}
          />
        ) : (
          t('orders.updates')
        )}
      </Text>
    </Card>
  );
}

function rowsOf(t: Translate, { expected, order }: TestOrder) {
  const isVendors = order.transport_type === 'VENDOR_DELIVERY';
  const wanted = expected.status === 'CANCELLED' ? 'CANCELLED' : isVendors ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const items = expected.items.map((item, index) => {
    const actual = order.items[index]?.status ?? 'NOT_PROCESSED';
    return { item: item.sku, expected: item.status, actual, verdict: compare(item.status, actual, 'NOT_PROCESSED') };
  });
  return [
    { item: t('orders.order'), expected: wanted, actual: order.status, verdict: compareOrder(wanted, order) },
    ...items,
  ];
}

/** A fulfilled order that has moved on to delivery still meets the expectation. */
function compareOrder(wanted: string, order: TestOrder['order']): Verdict {
  if (order.status === 'RECEIVED') return 'open';
  const isFulfilled = order.status !== 'CANCELLED';
  if (wanted === 'CANCELLED') return isFulfilled ? (allows(order, 'cancel') ? 'open' : 'missed') : 'met';
  return isFulfilled ? 'met' : 'missed';
}

function compare(expected: string, actual: string, open: string): Verdict {
  if (actual === expected) return 'met';
  return actual === open ? 'open' : 'missed';
}

function Mark({ verdict }: { verdict: Verdict }) {
  const t = useMessages();
  if (verdict === 'met')
    return (
      <IconCircleCheck
        size={18}
        style={{ flexShrink: 0 }}
        color="var(--mantine-color-teal-6)"
        aria-label={t('orders.asExpected')}
      />
    );
  if (verdict === 'missed')
    return (
      <IconCircleX
        size={18}
        style={{ flexShrink: 0 }}
        color="var(--mantine-color-red-6)"
        aria-label={t('orders.notAsExpected')}
      />
    );
  return (
    <IconCircleDashed
      size={18}
      style={{ flexShrink: 0 }}
      color="var(--mantine-color-gray-6)"
      aria-label={t('orders.pending')}
    />
  );
}
