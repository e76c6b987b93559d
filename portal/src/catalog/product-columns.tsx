import { Badge, Group, Switch, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody, Body } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import type { Column } from '../kit/data-table.tsx';
import { formatMoney } from '../kit/format.ts';
import { RowLink } from '../kit/link.tsx';
import { notifyDone } from '../kit/notify.ts';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { EditableNumber } from './editable-number.tsx';
import { formatStock } from './format-stock.ts';
import { productName } from '../kit/localized.ts';
import { Picture } from './picture.tsx';

export type Product = ResponseBody<'listCatalog'>['products'][number];
type Update = Body<'updateCatalog'>['products'][number];

export function useProductColumns(): Column<Product>[] {
  const t = useMessages();
  const isReadOnly = !usePermission()('updateCatalog');
  const save = useSave();
  return [
    { head: t('catalog.product'), cell: (product) => <Named product={product} /> },
    {
      head: t('productPage.price'),
      isNumber: true,
      width: 150,
      cell: (product) => (
        <>
          <EditableNumber
            label={t('catalog.priceOf', { product: productName(product) })}
            value={product.price}
            shown={`${formatMoney(product.price, product.currency)}${product.is_sold_by_weight ? t('productPage.perKilogram') : ''}`}
            decimalPlaces={3}
            isReadOnly={isReadOnly}
            onSave={(value) => value !== null && save({ sku: product.sku, price: value })}
          />
          <Promoted product={product} />
        </>
      ),
    },
    {
      head: t('productPage.stock'),
      isNumber: true,
      width: 130,
      cell: (product) => (
        <EditableNumber
          label={t('catalog.stockOf', { product: productName(product) })}
          value={product.quantity}
          shown={formatStock(product.quantity, product.is_sold_by_weight)}
          isReadOnly={isReadOnly}
          onSave={(value) => save({ sku: product.sku, quantity: value })}
        />
      ),
    },
    {
      head: t('productPage.active'),
      width: 80,
      cell: (product) =>
        isReadOnly ? (
          <State value={product.active ? 'ACTIVE' : 'INACTIVE'} />
        ) : (
          <Switch
            size="sm"
            aria-label={t('catalog.isActive', { product: productName(product) })}
            checked={product.active}
            onChange={(event) => save({ sku: product.sku, active: event.currentTarget.checked })}
          />
        ),
    },
    { head: t('productPage.changed'), width: 130, isExtra: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
}

/** The price that customers pay while a promotion is running. */
function Promoted({ product }: { product: Product }) {
  const t = useMessages();
  const { promotion, promotional_price, currency } = product;
  if (!promotion) return null;
  return (
    <Text size="xs" c="dimmed" title={Object.values(promotion.display_name)[0]}>
      {promotional_price === undefined
        ? t('catalog.bundle')
        : t('productPage.now', { price: formatMoney(promotional_price, currency) })}
    </Text>
  );
}

function Named({ product }: { product: Product }) {
  const t = useMessages();
  const { sku, images, barcodes, available, active } = product;
  const name = productName(product);
  return (
    <Group gap="sm" wrap="nowrap">
      <Picture url={images[0]} size={40} />
      <div style={{ minWidth: 0 }}>
        <Group gap={6} wrap="nowrap">
          <RowLink to="/products/$sku" params={{ sku }} title={name} truncate>
            {name}
          </RowLink>
          {active && !available && (
            <Tooltip label={t('catalog.soldOutHelp')}>
              <Badge size="xs" variant="outline" color="gray" tt="none" style={{ flexShrink: 0 }}>
                {t('catalog.soldOut')}
              </Badge>
            </Tooltip>
          )}
        </Group>
        <Text className="mono" c="dimmed" truncate>
          {[sku, barcodes[0]].filter(Boolean).join(' · ')}
        </Text>
      </div>
    </Group>
  );
}

/** With the strict profile, the update is applied immediately. With the tolerant profile, it runs as a job. */
function useSave(): (update: Update) => void {
  const t = useMessages();
  const { store } = useStore();
  const client = useQueryClient();
  const change = useChange('updateCatalog', ['listCatalog', 'listCategories']);
  return (update) =>
    change.mutate(
      { params: { vendor_id: store.vendor_id }, body: { products: [update] } },
      {
        onSuccess: (response) => {
          if ('sku' in response) return notifyDone(t('catalog.saved', { product: productName(response) }));
          notifyDone(t('catalog.queued'));
          setTimeout(() => void client.invalidateQueries({ queryKey: ['listCatalog'] }), 1500);
        },
      },
    );
}
