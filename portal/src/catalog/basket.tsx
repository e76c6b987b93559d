import { ActionIcon, Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useRead } from '../api/hooks.ts';
import type { Body } from '../api/operations.ts';
import { humanize } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Picture } from './picture.tsx';
import { productName } from '../kit/localized.ts';
import { type ChosenProduct, ProductPicker } from './product-picker.tsx';

export type BasketLine = { product: ChosenProduct; amount: number; outcome: Outcome };
type Outcome = Body<'createTestOrder'>['items'][number]['status'];

type BasketProps = { lines: BasketLine[]; vendorId: string; hasOutcome?: boolean; onChange(lines: BasketLine[]): void };

/** A list of products with quantities. For a test order, each product also has an expected outcome. */
export function BasketEditor({ lines, vendorId, hasOutcome = false, onChange }: BasketProps) {
  const t = useMessages();
  const [isAdding, setAdding] = useState(false);
  const set = (sku: string, change: Partial<BasketLine>) =>
    onChange(lines.map((line) => (line.product.sku === sku ? { ...line, ...change } : line)));
  const add = (product: ChosenProduct) => {
    setAdding(false);
    if (!lines.some((line) => line.product.sku === product.sku))
      onChange([...lines, { product, amount: 1, outcome: 'IN_CART' }]);
  };
  return (
    <Stack gap="sm">
      {lines.map(({ product, amount, outcome }) => (
        <Group key={product.sku} justify="space-between" component="section" aria-label={product.name}>
          <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 240px', minWidth: 0 }}>
            <Picture url={product.picture} size={40} />
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500} dir="auto" className="own-direction">
                {product.name}
              </Text>
              <Text className="mono" c="dimmed">
                {product.sku}
              </Text>
            </div>
          </Group>
          <Group gap="xs">
            {hasOutcome && (
              <SegmentedControl
                size="xs"
                aria-label={t('catalog.itemStatusOf', { product: product.name })}
                value={outcome}
                onChange={(value) => set(product.sku, { outcome: value })}
                data={[
                  { value: 'IN_CART', label: humanize('IN_CART') },
                  { value: 'NOT_FOUND', label: humanize('NOT_FOUND') },
                ]}
              />
            )}
            <NumberInput
              w={100}
              aria-label={t('catalog.quantityOf', { product: product.name })}
              min={product.isSoldByWeight ? 0.001 : 1}
              decimalScale={product.isSoldByWeight ? 3 : 0}
              step={product.isSoldByWeight ? 0.1 : 1}
              suffix={product.isSoldByWeight ? t('catalog.kilograms') : ''}
              value={amount}
              onChange={(value) => set(product.sku, { amount: Number(value) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('catalog.remove', { product: product.name })}
              onClick={() => onChange(lines.filter((line) => line.product.sku !== product.sku))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('catalog.addProduct')}
        </Button>
      </Group>
      {isAdding && (
        <ProductPicker
          title={t('catalog.addProduct')}
          vendorId={vendorId}
          onChoose={add}
          onClose={() => setAdding(false)}
        />
      )}
    </Stack>
  );
}

/** The basket starts with a few of the store's products, so that a first order takes one click. */
export function usePrefilledBasket(vendorId: string): [BasketLine[], (lines: BasketLine[]) => void] {
  const [lines, setLines] = useState<BasketLine[]>();
  const { data } = useRead('listCatalog', {
    params: { vendor_id: vendorId },
    query: { page_size: 50, is_active: true },
  });
  useEffect(() => {
    if (lines || !data) return;
    const available = data.products.filter((product) => product.available);
    const soldByWeight = available.filter((product) => product.is_sold_by_weight).slice(0, 1);
    const units = available.filter((product) => !product.is_sold_by_weight).slice(0, 3 - soldByWeight.length);
    setLines(
      [...units, ...soldByWeight].map((product) => ({
        product: {
          sku: product.sku,
          name: productName(product),
          picture: product.images[0],
          isSoldByWeight: product.is_sold_by_weight,
        },
        amount: 1,
        outcome: 'IN_CART',
      })),
    );
  }, [data, lines]);
  return [lines ?? [], setLines];
}
