import { Group, Text, Title } from '@mantine/core';
import { Picture } from '../catalog/picture.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { formatMoney, humanizeIfCode } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { amountOf } from './describe-picked.ts';
import type { Item, Order } from './order.ts';
import { Quoted } from './quoted.tsx';

/** All items, with their quantities and prices before and after picking. */
export function OrderItems({ order }: { order: Order }) {
  const t = useMessages();
  return (
    <DataTable
      label={t('orders.items')}
      title={
        <Title order={2} p="md" pb={4}>
          {t('orders.items')}
        </Title>
      }
      columns={useColumns(order)}
      rows={order.items}
      keyOf={(item) => item._id}
      empty={null}
      minWidth={620}
    />
  );
}

function useColumns(order: Order): Column<Item>[] {
  const t = useMessages();
  return [
    { head: t('orders.product'), cell: (item) => <Product item={item} order={order} /> },
    { head: t('orders.status'), cell: ({ status }) => <State value={status} /> },
    {
      head: t('orders.ordered'),
      isNumber: true,
      cell: (item) => (isNew(item) ? '–' : amountOf(item.original_pricing)),
    },
    {
      head: t('orders.picked'),
      isNumber: true,
      cell: (item) => (isGone(item) || item.status === 'NOT_PROCESSED' ? '–' : amountOf(item.pricing)),
    },
    {
      head: t('orders.price'),
      isNumber: true,
      cell: (item) => <Prices item={item} currency={order.payment.currency} />,
    },
  ];
}

function Product({ item, order }: { item: Item; order: Order }) {
  const t = useMessages();
  const replaced = order.items.find((other) => other._id === item.replaced_id);
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture url={item.image_url} size={40} />
      <div>
        <Text size="sm" fw={500} td={isGone(item) ? 'line-through' : undefined}>
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
            {t('orders.ifUnavailable', { preference: humanizeIfCode(item.replacement.preference) })}
          </Text>
        )}
        {item.instructions && <Quoted size="xs" c="dimmed" text={item.instructions} />}
      </div>
    </Group>
  );
}

function isGone({ status }: Item): boolean {
  return status === 'NOT_FOUND' || status === 'REPLACED';
}

function isNew({ status, replaced_id }: Item): boolean {
  return status === 'ADDITION' || replaced_id !== undefined;
}

function Prices({ item, currency }: { item: Item; currency: string }) {
  const before = item.original_pricing.total_price;
  const now = isGone(item) ? 0 : item.pricing.total_price;
  return (
    <>
      {!isNew(item) && before !== now && (
        <Text size="xs" c="dimmed" td="line-through">
          {formatMoney(before, currency)}
        </Text>
      )}
      <Text size="sm">{formatMoney(now, currency)}</Text>
      {item.discount > 0 && !isGone(item) && (
        <Text size="xs" c="dimmed">
          −{formatMoney(item.discount, currency)}
        </Text>
      )}
    </>
  );
}
