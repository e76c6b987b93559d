import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useStore } from '../api/store.tsx';
import { Copyable } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatList, formatMoney } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { localText, productName } from '../kit/localized.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Moment, Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { formatStock } from './format-stock.ts';
import { Picture } from './picture.tsx';
import { ProductHistory } from './product-history.tsx';

type Offer = ResponseBody<'listProductOffers'>['products'][number];
type Promotion = ResponseBody<'listPromotions'>['promotions'][number];
type Order = ResponseBody<'listProductOrders'>['orders'][number];

/** A product in all stores that the user can access, with its history, promotions and recent orders. */
export function ProductPage() {
  const t = useMessages();
  const { sku } = useParams({ from: '/signed-in/products/$sku' });
  const { store } = useStore();
  const { data } = useRead('listProductOffers', { query: { sku } });
  const offers = useOfferColumns();
  if (!data) return <Skeleton height={300} />;
  const product = data.products.find(({ vendor_id }) => vendor_id === store.vendor_id) ?? data.products[0];
  if (!product) return <NoProduct sku={sku} />;
  return (
    <Page title={productName(product)} actions={<BackToCatalog />}>
      <Facts product={product} />
      <Section title={t('productPage.offers')}>
        <DataTable
          label={t('productPage.offers')}
          columns={offers}
          rows={data.products}
          keyOf={(offer) => offer.vendor_id}
          empty={null}
        />
      </Section>
      {product.vendor_id === store.vendor_id && (
        <Section title={t('productPage.history', { store: store.name })}>
          <ProductHistory product={product} />
        </Section>
      )}
      <Promotions sku={sku} />
      <Orders sku={sku} />
    </Page>
  );
}

function NoProduct({ sku }: { sku: string }) {
  const t = useMessages();
  return (
    <Page title={sku} actions={<BackToCatalog />}>
      <Card padding={0}>
        <EmptyState title={t('productPage.missing')}>{t('productPage.missingHelp')}</EmptyState>
      </Card>
    </Page>
  );
}

function BackToCatalog() {
  const t = useMessages();
  return (
    <ButtonLink to="/catalog" variant="default" leftSection={<IconArrowLeft size={16} />}>
      {t('productPage.catalog')}
    </ButtonLink>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}

function Facts({ product: { sku, images, barcodes, categories } }: { product: Offer }) {
  const { locale } = useStore().store;
  const t = useMessages();
  return (
    <Card>
      <Group wrap="nowrap" align="flex-start">
        <Picture url={images[0]} size={96} />
        <Stack gap={4} miw={0}>
          <Copyable value={sku} />
          {barcodes.length > 0 && (
            <Text size="sm">
              {t('productPage.barcodes')}: <span className="mono">{barcodes.join(', ')}</span>
            </Text>
          )}
          {categories && categories.length > 0 && (
            <Text size="sm" c="dimmed">
              {formatList(categories.map(({ details }) => localText(details.name, locale) ?? ''))}
            </Text>
          )}
        </Stack>
      </Group>
    </Card>
  );
}

function useOfferColumns(): Column<Offer>[] {
  const t = useMessages();
  const nameOf = useStoreName();
  return [
    { head: t('productPage.store'), cell: ({ vendor_id }) => nameOf(vendor_id) },
    {
      head: t('productPage.price'),
      isNumber: true,
      cell: ({ price, currency, is_sold_by_weight, promotional_price }) => (
        <>
          {formatMoney(price, currency)}
          {is_sold_by_weight && t('productPage.perKilogram')}
          {promotional_price !== undefined && (
            <Text size="xs" c="dimmed">
              {t('productPage.now', { price: formatMoney(promotional_price, currency) })}
            </Text>
          )}
        </>
      ),
    },
    {
      head: t('productPage.stock'),
      isNumber: true,
      cell: ({ quantity, is_sold_by_weight }) => formatStock(quantity, is_sold_by_weight),
    },
    { head: t('productPage.active'), cell: ({ active }) => <State value={active ? 'ACTIVE' : 'INACTIVE'} /> },
    { head: t('productPage.updated'), cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
}

function useStoreName(): (vendorId: string) => string {
  const { stores } = useStore();
  return (vendorId) => stores.find((store) => store.vendor_id === vendorId)?.name ?? vendorId;
}

function Promotions({ sku }: { sku: string }) {
  const t = useMessages();
  const { store } = useStore();
  const { data } = useRead('listPromotions', { query: { sku, page_size: 100 } });
  const columns: Column<Promotion>[] = [
    {
      head: t('productPage.promotion'),
      cell: ({ promotion_id, display_name }) => (
        <RowLink to="/promotions/$promotionId" params={{ promotionId: promotion_id }} style={{ whiteSpace: 'normal' }}>
          {localText(display_name, store.locale) ?? promotion_id}
        </RowLink>
      ),
    },
    { head: t('productPage.status'), cell: ({ state }) => <State value={state === 'CANCELLED' ? 'STOPPED' : state} /> },
    { head: t('productPage.from'), cell: ({ conditions }) => <Moment at={conditions.start_time} /> },
    { head: t('productPage.until'), cell: ({ conditions }) => <Moment at={conditions.end_time} /> },
  ];
  return (
    <Section title={t('productPage.promotions')}>
      <DataTable
        label={t('productPage.promotions')}
        columns={columns}
        rows={data?.promotions}
        keyOf={({ promotion_id }) => promotion_id}
        empty={<Nothing text={t('productPage.noPromotions')} />}
      />
    </Section>
  );
}

function Orders({ sku }: { sku: string }) {
  const t = useMessages();
  const nameOf = useStoreName();
  const { data } = useRead('listProductOrders', { query: { sku } });
  const columns: Column<Order>[] = [
    {
      head: t('productPage.order'),
      cell: ({ order_id, order_code }) => (
        <RowLink to="/orders/$orderId" params={{ orderId: order_id }}>
          {order_code}
        </RowLink>
      ),
    },
    { head: t('productPage.store'), cell: ({ vendor_id }) => nameOf(vendor_id) },
    { head: t('productPage.status'), cell: ({ status }) => <State value={status} /> },
    { head: t('productPage.placed'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  return (
    <Section title={t('productPage.orders')}>
      <DataTable
        label={t('productPage.orders')}
        columns={columns}
        rows={data?.orders}
        keyOf={({ order_id }) => order_id}
        empty={<Nothing text={t('productPage.noOrders')} />}
      />
    </Section>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed" p="md">
      {text}
    </Text>
  );
}
