import { discountSubtypes, promotionTypes } from '@aisle/contract/promotion-types';
import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Title,
  Card,
} from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { useForm } from '@mantine/form';
import { IconArrowLeft } from '@tabler/icons-react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { humanize, timeZoneName } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { BasketEditor, type BasketLine } from '../catalog/basket.tsx';
import { subtypeLabels, typeLabels } from './labels.ts';
import { bodyOf, localTime, splitSkus, type PromotionValues, validatePromotion } from './promotion-input.ts';
import { PromotionResult } from './promotion-result.tsx';

const reasons = ['COMPETITIVENESS', 'OVERSTOCK', 'DELISTING', 'EXPIRING_SOON', 'TRADING', 'NMR'];

export function NewPromotionPage() {
  const may = usePermission();
  const { store, stores } = useStore();
  const put = useChange('putPromotion', ['listPromotions', 'listCatalog']);
  const form = useForm<PromotionValues>({
    initialValues: {
      name: '',
      vendors: [store.vendor_id],
      type: 'STRIKETHROUGH',
      reason: 'COMPETITIVENESS',
      start: localTime(new Date()),
      end: localTime(new Date(Date.now() + 7 * 86_400_000)),
      purchased: 2,
      discounted: 1,
      subtype: 'PERCENTAGE',
      value: 10,
      skus: [],
      maxPerOrder: '',
    },
    validate: validatePromotion,
  });
  const submit = form.onSubmit((values) => put.mutate({ body: bodyOf(values, store.locale) }));
  return (
    <Page
      title="New promotion"
      about="If the name, stores and times match an existing promotion, that promotion is updated."
      actions={
        <ButtonLink to="/promotions" variant="default" leftSection={<IconArrowLeft size={16} />}>
          Promotions
        </ButtonLink>
      }
    >
      {!may('putPromotion') && (
        <NotAllowed>You have read-only access. Only managers and owners can create promotions.</NotAllowed>
      )}
      {may('putPromotion') && put.data && <PromotionResult jobId={put.data.job_id} onAgain={put.reset} />}
      {may('putPromotion') && !put.data && (
        <form onSubmit={submit} noValidate>
          <Stack maw={860}>
            <Card padding="lg">
              <Stack>
                <TextInput
                  label="Name"
                  description={`Shown to customers. Enter it in the store's language (${store.locale}).`}
                  {...form.getInputProps('name')}
                />
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <MultiSelect
                    label="Stores"
                    placeholder={form.values.vendors.length === 0 ? 'All current and future stores' : ''}
                    data={stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: name }))}
                    clearable
                    {...form.getInputProps('vendors')}
                  />
                  <Select
                    label="Reason"
                    data={reasons.map((reason) => ({
                      value: reason,
                      label: humanize(reason),
                    }))}
                    allowDeselect={false}
                    {...form.getInputProps('reason')}
                  />
                  <DateTimePicker label={`From (${timeZoneName()})`} {...form.getInputProps('start')} />
                  <DateTimePicker label={`Until (${timeZoneName()})`} {...form.getInputProps('end')} />
                </SimpleGrid>
              </Stack>
            </Card>
            <Card padding="lg">
              <Stack>
                <Title order={2}>Discount</Title>
                <SegmentedControl
                  aria-label="Promotion type"
                  w="fit-content"
                  data={promotionTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
                  {...form.getInputProps('type')}
                />
                {form.values.type === 'SAME_ITEM_BUNDLE' && (
                  <Group>
                    <NumberInput
                      label="For every … units bought"
                      min={1}
                      allowDecimal={false}
                      w={180}
                      {...form.getInputProps('purchased')}
                    />
                    <NumberInput
                      label="… units discounted"
                      min={1}
                      allowDecimal={false}
                      w={180}
                      {...form.getInputProps('discounted')}
                    />
                  </Group>
                )}
                <Group align="flex-start">
                  <Select
                    label="Discount type"
                    data={discountSubtypes.map((value) => ({ value, label: subtypeLabels(store.currency)[value] }))}
                    allowDeselect={false}
                    {...form.getInputProps('subtype')}
                  />
                  <NumberInput
                    label="Value"
                    min={0}
                    decimalScale={3}
                    w={140}
                    suffix={form.values.subtype === 'PERCENTAGE' ? '%' : ` ${store.currency}`}
                    {...form.getInputProps('value')}
                  />
                  <NumberInput
                    label="Max units per order"
                    min={1}
                    allowDecimal={false}
                    w={190}
                    placeholder="No limit"
                    {...form.getInputProps('maxPerOrder')}
                  />
                </Group>
                <Products skus={form.values.skus} onChange={(skus) => form.setFieldValue('skus', skus)} />
                {form.errors['skus'] && (
                  <Text size="sm" c="var(--mantine-color-error)">
                    {form.errors['skus']}
                  </Text>
                )}
              </Stack>
            </Card>
            <Group>
              <Button type="submit" loading={put.isPending}>
                Create promotion
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Page>
  );
}

/** SKUs that are entered, pasted or selected from the catalog. */
function Products({ skus, onChange }: { skus: string[]; onChange(skus: string[]): void }) {
  const { store } = useStore();
  const add = (lines: BasketLine[]) => onChange([...new Set([...skus, ...lines.map((line) => line.product.sku)])]);
  return (
    <Stack gap="xs">
      <TagsInput
        label="SKUs"
        description="Enter or paste SKUs separated by commas, or add them from the catalog."
        value={skus}
        onChange={(typed) => onChange(splitSkus(typed))}
        clearable
      />
      <BasketEditor lines={[]} onChange={add} vendorId={store.vendor_id} />
    </Stack>
  );
}
