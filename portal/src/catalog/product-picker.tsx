import { Button, Group, Modal, Skeleton, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { formatMoney } from '../kit/format.ts';
import { Picture } from './picture.tsx';
import classes from './catalog.module.css';

export type ChosenProduct = { sku: string; name: string; picture?: string | undefined; isSoldByWeight: boolean };

type PickerProps = {
  title: string;
  about?: string | undefined;
  vendorId: string;
  suggestions?: readonly { sku: string; name: string }[] | undefined;
  /** The SKU of a product to exclude from the results. */
  excludedSku?: string;
  onChoose(product: ChosenProduct): void;
  onClose(): void;
};

/** Finds a product in a store by name, SKU or barcode. */
export function ProductPicker({
  title,
  about,
  vendorId,
  suggestions = [],
  excludedSku,
  onChoose,
  onClose,
}: PickerProps) {
  const [typed, setTyped] = useState('');
  const [term] = useDebouncedValue(typed.trim(), 200);
  const { data } = useRead('listCatalog', {
    params: { vendor_id: vendorId },
    query: { page_size: 12, ...(term && { query_term: term }) },
  });
  const products = data?.products.filter((product) => product.sku !== excludedSku);
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        {about && <Text size="sm">{about}</Text>}
        {suggestions.length > 0 && (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              Suggested:
            </Text>
            {suggestions.map(({ sku, name }) => (
              <Button key={sku} size="compact-sm" variant="light" onClick={() => setTyped(sku)}>
                {name}
              </Button>
            ))}
          </Group>
        )}
        <TextInput
          type="search"
          aria-label="Search products"
          placeholder="Name, SKU or barcode"
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
                  name: product.title ?? product.sku,
                  picture: product.images[0],
                  isSoldByWeight: product.is_sold_by_weight,
                })
              }
            >
              <Group gap="sm" wrap="nowrap">
                <Picture url={product.images[0]} size={36} />
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={500} truncate>
                    {product.title ?? product.sku}
                  </Text>
                  <Text className="mono" c="dimmed">
                    {product.sku}
                  </Text>
                </div>
                <Text size="sm">
                  {formatMoney(product.price, product.currency)}
                  {product.is_sold_by_weight && ' / kg'}
                </Text>
              </Group>
            </UnstyledButton>
          ))}
          {products?.length === 0 && (
            <Text size="sm" c="dimmed" p="md">
              No results
            </Text>
          )}
        </Stack>
      </Stack>
    </Modal>
  );
}
