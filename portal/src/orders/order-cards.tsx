import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { formatDateTime, formatMoney, humanize } from '../kit/format.ts';
import { useLanguage } from '../messages/language.ts';
import { useMessages } from '../messages/use-messages.ts';
import { deliveryLabel } from './labels.ts';
import type { Order } from './order.ts';

export function TotalsCard({ order }: { order: Order }) {
  const t = useMessages();
  const { currency, sub_total, discount, delivery_fee, service_fee, order_total, type } = order.payment;
  const amount = (value: number) => formatMoney(value, currency);
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('orders.totals')}
      </Title>
      <Stack gap={6}>
        <Line name={t('orders.items')}>{amount(sub_total)}</Line>
        {discount > 0 && <Line name={t('orders.promotions')}>−{amount(discount)}</Line>}
        {delivery_fee > 0 && <Line name={t('orders.deliveryFee')}>{amount(delivery_fee)}</Line>}
        {service_fee > 0 && <Line name={t('orders.serviceFee')}>{amount(service_fee)}</Line>}
        <Line name={t('orders.total')} isBold>
          {amount(order_total)}
        </Line>
        <Text size="sm" c="dimmed">
          {t('orders.payment', { type: humanize(type).toLowerCase() })}
        </Text>
      </Stack>
    </Card>
  );
}

export function CustomerCard({ order }: { order: Order }) {
  const t = useMessages();
  const { customer } = order;
  const address = customer?.delivery_address;
  return (
    <Card>
      <Title order={2} mb="sm">
        {t('orders.customerAndDelivery')}
      </Title>
      <Stack gap={6}>
        <Line name={t('orders.name')}>
          {[customer?.first_name, customer?.last_name].filter(Boolean).join(' ') || '–'}
        </Line>
        <Line name={t('orders.phone')}>
          <bdi dir="ltr">{customer?.phone_number ?? '–'}</bdi>
        </Line>
        <Line name={t('orders.delivery')}>{deliveryLabel(t, order)}</Line>
        {address && <Address address={address} />}
        {order.promised_for && <Line name={t('orders.promisedFor')}>{formatDateTime(order.promised_for)}</Line>}
        <Line name={t('orders.placed')}>{formatDateTime(order.sys.created_at)}</Line>
      </Stack>
    </Card>
  );
}

type AddressProps = { address: NonNullable<NonNullable<Order['customer']>['delivery_address']> };

function Address({ address }: AddressProps) {
  const { t, direction } = useLanguage();
  const { street, number, building, floor, apartment, city, instructions } = address;
  const parts = [
    street,
    number,
    building,
    floor && t('orders.floor', { floor }),
    apartment && t('orders.apartment', { apartment }),
    city,
  ];
  const place = address.formattedAddress === undefined ? parts.filter(Boolean) : [address.formattedAddress];
  return (
    <>
      {place.length > 0 && (
        <Line name={t('orders.address')}>
          {place.map((part, index) => (
            <Fragment key={index}>
              {index > 0 && (direction === 'rtl' ? '، ' : ', ')}
              <bdi>{part}</bdi>
            </Fragment>
          ))}
        </Line>
      )}
      {instructions && (
        <Line name={t('orders.addressNote')}>
          <bdi>{instructions}</bdi>
        </Line>
      )}
    </>
  );
}

function Line({ name, isBold = false, children }: { name: string; isBold?: boolean; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md" align="flex-start">
      <Text size="sm" c={isBold ? undefined : 'dimmed'} fw={isBold ? 600 : undefined}>
        {name}
      </Text>
      <Text size="sm" ta="end" fw={isBold ? 600 : undefined}>
        {children}
      </Text>
    </Group>
  );
}
