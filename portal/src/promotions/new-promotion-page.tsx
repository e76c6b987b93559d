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
import { useForm } from '@mantine/form';
import { IconArrowLeft } from '@tabler/icons-react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { DateTimePicker } from '../kit/dates.tsx';
import { formatLocale, humanize, timeZoneName } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useStoreOptions } from '../kit/store-options.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { BasketEditor, type BasketLine } from '../catalog/basket.tsx';
import { subtypeLabels } from './labels.ts';
import { bodyOf, localTime, promotionChecks, type PromotionValues, splitSkus } from './promotion-input.ts';
import { PromotionResult } from './promotion-result.tsx';

const reasons = ['COMPETITIVENESS', 'OVERSTOCK', 'DELISTING', 'EXPIRING_SOON', 'TRADING', 'NMR'];

export function NewPromotionPage() {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  const storeOptions = useStoreOptions();
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
    validate: promotionChecks(t),
  });
  const submit = form.onSubmit((values) => put.mutate({ body: bodyOf(values, store.locale) }));
  return (
    <Page
      title={t('promotions.new')}
      about={t('promotions.newHelp')}
      actions={
        <ButtonLink to="/promotions" variant="default" leftSection={<IconArrowLeft size={16} />}>
          {t('promotions.title')}
        </ButtonLink>
      }
    >
      {!may('putPromotion') && <NotAllowed>{t('promotions.readOnly')}</NotAllowed>}
      {may('putPromotion') && put.data && <PromotionResult jobId={put.data.job_id} onAgain={put.reset} />}
      {may('putPromotion') && !put.data && (
        <form onSubmit={submit} noValidate>
          <Stack maw={860}>
            <Card padding="lg">
              <Stack>
                <TextInput
                  label={t('promotions.name')}
                  description={t('promotions.nameHelp', { language: formatLocale(store.locale) })}
                  {...form.getInputProps('name')}
                />
                <SimpleGrid cols={{ base: 1, sm: 2 }}>
                  <MultiSelect
                    label={t('promotions.stores')}
                    placeholder={form.values.vendors.length === 0 ? t('promotions.allStores') : ''}
                    data={storeOptions}
                    clearable
                    {...form.getInputProps('vendors')}
                  />
                  <Select
                    label={t('promotions.reason')}
                    data={reasons.map((reason) => ({
                      value: reason,
                      label: humanize(reason),
                    }))}
                    allowDeselect={false}
                    {...form.getInputProps('reason')}
                  />
                  <DateTimePicker
                    label={t('promotions.fromTime', { zone: timeZoneName() })}
                    {...form.getInputProps('start')}
                  />
                  <DateTimePicker
                    label={t('promotions.untilTime', { zone: timeZoneName() })}
                    {...form.getInputProps('end')}
                  />
                </SimpleGrid>
              </Stack>
            </Card>
            <Card padding="lg">
              <Stack>
                <Title order={2}>{t('promotions.discount')}</Title>
                <SegmentedControl
                  aria-label={t('promotions.type')}
                  style={{ alignSelf: 'flex-start' }}
                  data={promotionTypes.map((type) => ({ value: type, label: t(`promotions.type.${type}`) }))}
                  {...form.getInputProps('type')}
                />
                {form.values.type === 'SAME_ITEM_BUNDLE' && (
                  <Group>
                    <NumberInput
                      label={t('promotions.purchased')}
                      min={1}
                      allowDecimal={false}
                      w={{ base: '100%', xs: 180 }}
                      {...form.getInputProps('purchased')}
                    />
                    <NumberInput
                      label={t('promotions.discounted')}
                      min={1}
                      allowDecimal={false}
                      w={{ base: '100%', xs: 180 }}
                      {...form.getInputProps('discounted')}
                    />
                  </Group>
                )}
                <Group align="flex-start">
                  <Select
                    label={t('promotions.discountType')}
                    data={discountSubtypes.map((value) => ({ value, label: subtypeLabels(t, store.currency)[value] }))}
                    allowDeselect={false}
                    w={{ base: '100%', xs: 'auto' }}
                    {...form.getInputProps('subtype')}
                  />
                  <NumberInput
                    label={t('promotions.value')}
                    min={0}
                    decimalScale={3}
                    w={{ base: '100%', xs: 140 }}
                    suffix={form.values.subtype === 'PERCENTAGE' ? '%' : ` ${store.currency}`}
                    {...form.getInputProps('value')}
                  />
                  <NumberInput
                    label={t('promotions.maxUnits')}
                    min={1}
                    allowDecimal={false}
                    w={{ base: '100%', xs: 190 }}
                    placeholder={t('promotions.noLimit')}
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
                {t('promotions.create')}
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
  const t = useMessages();
  const { store } = useStore();
  const add = (lines: BasketLine[]) => onChange([...new Set([...skus, ...lines.map((line) => line.product.sku)])]);
  return (
    <Stack gap="xs">
      <TagsInput
        label={t('promotions.skus')}
        description={t('promotions.skusHelp')}
        value={skus}
        onChange={(typed) => onChange(splitSkus(typed))}
        clearable
      />
      <BasketEditor lines={[]} onChange={add} vendorId={store.vendor_id} />
    </Stack>
  );
}
