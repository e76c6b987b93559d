import { Card, Group, Table, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { words } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { allows } from './order.ts';

type TestOrder = ResponseBody<'getTestOrder'>;
type Verdict = 'met' | 'missed' | 'open';

/** What the test order was expected to become, beside what happened. */
export function Expectation({ orderId }: { orderId: string }) {
  const { data } = useRead(
    'getTestOrder',
    { params: { order_id: orderId } },
    { refetchInterval: 2000, throwOnError: false },
  );
  if (!data) return null;
  return (
    <Card>
      <Title order={2} mb="xs">
        Expected and happened
      </Title>
      <Table aria-label="Expected and happened" highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Expected</Table.Th>
            <Table.Th>Happened</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(data).map(({ what, expected, happened, verdict }) => (
            <Table.Tr key={what}>
              <Table.Td>{what}</Table.Td>
              <Table.Td>{words(expected)}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Mark verdict={verdict} />
                  <Text size="sm">{words(happened)}</Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        {data.order.status === 'RECEIVED' && data.expected.status !== 'CANCELLED' ? (
          <>
            Now fulfil it by PUT from your own system, or{' '}
            <InlineLink to="/orders/$orderId/pick" params={{ orderId }}>
              pick it here
            </InlineLink>
            : replacing, adding and weighing can be tried too.
          </>
        ) : (
          'What happens shows here and in the timeline as it happens.'
        )}
      </Text>
    </Card>
  );
}

function rowsOf({ expected, order }: TestOrder) {
  const isVendors = order.transport_type === 'VENDOR_DELIVERY';
  const wanted = expected.status === 'CANCELLED' ? 'CANCELLED' : isVendors ? 'DISPATCHED' : 'READY_FOR_PICKUP';
  const items = expected.items.map((item, index) => {
    const happened = order.items[index]?.status ?? 'NOT_PROCESSED';
    return { what: item.sku, expected: item.status, happened, verdict: judge(item.status, happened, 'NOT_PROCESSED') };
  });
  return [{ what: 'Order', expected: wanted, happened: order.status, verdict: judgeOrder(wanted, order) }, ...items];
}

/** A fulfilled order goes on to be delivered, which is as good. */
function judgeOrder(wanted: string, order: TestOrder['order']): Verdict {
  if (order.status === 'RECEIVED') return 'open';
  const isFulfilled = order.status !== 'CANCELLED';
  if (wanted === 'CANCELLED') return isFulfilled ? (allows(order, 'cancel') ? 'open' : 'missed') : 'met';
  return isFulfilled ? 'met' : 'missed';
}

function judge(wanted: string, happened: string, open: string): Verdict {
  if (happened === wanted) return 'met';
  return happened === open ? 'open' : 'missed';
}

function Mark({ verdict }: { verdict: Verdict }) {
  if (verdict === 'met')
    return <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-label="as expected" />;
  if (verdict === 'missed')
    return <IconCircleX size={18} color="var(--mantine-color-red-6)" aria-label="not as expected" />;
  return <IconCircleDashed size={18} color="var(--mantine-color-gray-6)" aria-label="not yet" />;
}
