import { Card, Group, Table, Text, Title } from '@mantine/core';
import { Picture } from '../catalog/picture.tsx';
import { formatKilograms, formatMoney, formatNumber } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Item, Order } from './order.ts';

/** All items, with their quantities and prices before and after picking. */
export function OrderItems({ order }: { order: Order }) {
  const t = useMessages();
  return (
    <Card padding={0}>
      <Title order={2} p="md" pb={4}>
        {t('orders.items')}
      </Title>
      <Table.ScrollContainer minWidth={620} type="native">
        <Table aria-label={t('orders.items')} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('orders.product')}</Table.Th>
              <Table.Th>{t('orders.status')}</Table.Th>
              <Table.Th ta="end">{t('orders.ordered')}</Table.Th>
              <Table.Th ta="end">{t('orders.picked')}</Table.Th>
              <Table.Th ta="end">{t('orders.price')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {order.items.map((item) => (
              <Line key={item._id} item={item} order={order} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Line({ item, order }: { item: Item; order: Order }) {
  const t = useMessages();
  const isGone = item.status === 'NOT_FOUND' || item.status === 'REPLACED';
  const isNew = item.status === 'ADDITION' || item.replaced_id !== undefined;
  const replaced = order.items.find((other) => other._id === item.replaced_id);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Picture url={item.image_url} size={40} />
          <div>
            <Text size="sm" fw={500} td={isGone ? 'line-through' : undefined}>
              {item.name}
            </Text>
            <TextLink to="/products/$sku" params={{ sku: item.sku }} className="mono" c="dimmed">
              {item.sku}
            </TextLink>
            {replaced && (
              <Text size="xs" c="dimmed">
                {t('orders.replaces', { name: replaced.name })}
              </Text>
            )}
            {item.replacement && (
              <Text size="xs" c="dimmed">
                {t('orders.ifUnavailable', { preference: item.replacement.preference })}
              </Text>
            )}
            {item.instructions && (
              <Text size="xs" c="dimmed">
                {t('orders.quoted', { text: item.instructions })}
              </Text>
            )}
          </div>
        </Group>
      </Table.Td>
      <Table.Td>
        <State value={item.status} />
      </Table.Td>
      <Table.Td className="number">{isNew ? '–' : amountOf(item.original_pricing)}</Table.Td>
      <Table.Td className="number">{isGone || item.status === 'NOT_PROCESSED' ? '–' : amountOf(item.pricing)}</Table.Td>
      <Table.Td className="number">
        <Prices item={item} currency={order.payment.currency} isGone={isGone} isNew={isNew} />
      </Table.Td>
    </Table.Tr>
  );
}

type PricesProps = { item: Item; currency: string; isGone: boolean; isNew: boolean };

function Prices({ item, currency, isGone, isNew }: PricesProps) {
  const before = item.original_pricing.total_price;
  const now = isGone ? 0 : item.pricing.total_price;
  return (
    <>
      {!isNew && before !== now && (
        <Text size="xs" c="dimmed" td="line-through">
          {formatMoney(before, currency)}
        </Text>
      )}
      <Text size="sm">{formatMoney(now, currency)}</Text>
      {item.discount > 0 && !isGone && (
        <Text size="xs" c="dimmed">
          −{formatMoney(item.discount, currency)}
        </Text>
      )}
    </>
  );
}

function amountOf(pricing: Item['pricing']): string {
  return pricing.pricing_type === 'KG' ? formatKilograms(pricing.weight ?? 0) : formatNumber(pricing.quantity);
}
