import { Anchor, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatMoney, formatNumber, formatPercent } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';
import { useMessages } from '../messages/use-messages.ts';
import { type NumberColumn, ordersBehind, type StoreRow, type Totals } from './numbers.ts';

/** A number, and below it the number of orders that it opens. */
export function NumberCell({ column, row, name }: { column: NumberColumn; row: StoreRow | Totals; name: string }) {
  const t = useMessages();
  const search = ordersBehind(column, row);
  const lines = textsOf(column, row, t);
  const count = column.behind(row);
  const orders = t(column.id === 'found' ? 'numbers.ordersMissingItems' : 'numbers.ordersBehind', { count });
  const isLink = search !== undefined && count > 0;
  const text = (
    <Stack gap={0} fz="sm" component="span">
      {lines.map((line) => (
        <Text key={line} component="span" inherit td={isLink && column.unit === 'count' ? 'underline' : undefined}>
          {line}
        </Text>
      ))}
      {column.unit !== 'count' && (
        <Text component="span" size="xs" c="dimmed" td={isLink ? 'underline' : undefined}>
          {orders}
        </Text>
      )}
    </Stack>
  );
  if (!isLink) return text;
  return (
    <Anchor
      c="inherit"
      size="sm"
      underline="hover"
      renderRoot={(props) => <Link to="/orders" search={search} {...props} />}
    >
      <VisuallyHidden>{t('numbers.at', { column: t(`numbers.${column.id}`), store: name })}</VisuallyHidden>
      {text}
    </Anchor>
  );
}

function textsOf(column: NumberColumn, row: StoreRow | Totals, t: Translate): string[] {
  const value = column.value(row);
  if (value === null) return ['–'];
  const texts = {
    money: () => row.revenue.map(({ amount, currency }) => formatMoney(amount, currency)),
    count: () => [formatNumber(value)],
    share: () => [formatPercent(value, 1)],
    minutes: () => [t('numbers.minutes', { minutes: value })],
  };
  return texts[column.unit]();
}
