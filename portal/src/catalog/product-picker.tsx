import { Group, Modal, Skeleton, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { formatMoney } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Picture } from './picture.tsx';
import { productName } from '../kit/localized.ts';
import classes from './catalog.module.css';

export type ChosenProduct = { sku: string; name: string; picture?: string | undefined; isSoldByWeight: boolean };

type PickerProps = {
  title: string;
  vendorId: string;
  onChoose(product: ChosenProduct): void;
  onClose(): void;
};

/** Finds a product in a store by name, SKU or barcode. */
export function ProductPicker({ title, vendorId, onChoose, onClose }: PickerProps) {
  const t = useMessages();
  const [typed, setTyped] = useState('');
  const [term] = useDebouncedValue(typed.trim(), 200);
  const { data } = useRead('listCatalog', {
    params: { vendor_id: vendorId },
    query: { page_size: 12, ...(term && { query_term: term, sort: 'relevance' as const }) },
  });
  const products = data?.products;
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <TextInput
          type="search"
          aria-label={t('catalog.searchProducts')}
          placeholder={t('catalog.searchPlaceholder')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <Stack gap={2} mih={320}>
          {!products && <Skeleton height={300} />}
          {products?.map((product) => (
            <UnstyledButton
              key={product.sku}
              className={classes['choice']}
              onClick={() =>
                onChoose({
                  sku: product.sku,
                  name: productName(product),
                  picture: product.images[0],
                  isSoldByWeight: product.is_sold_by_weight,
                })
              }
            >
              <Group gap="sm" wrap="nowrap">
                <Picture url={product.images[0]} size={36} />
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={500} dir="auto" className="own-direction">
                    {productName(product)}
                  </Text>
                  <Text className="mono" c="dimmed">
                    {product.sku}
                  </Text>
                </div>
                <Text size="sm" className="nowrap">
                  {formatMoney(product.price, product.currency)}
                  {product.is_sold_by_weight && t('productPage.perKilogram')}
                </Text>
              </Group>
            </UnstyledButton>
          ))}
          {products?.length === 0 && (
            <Text size="sm" c="dimmed" p="md">
              {t('kit.noResults')}
            </Text>
          )}
        </Stack>
      </Stack>
    </Modal>
  );
}
