import { Group, Text } from '@mantine/core';
import { IconArrowNarrowRight } from '@tabler/icons-react';
import type { ResponseBody } from '../api/operations.ts';
import { formatMoney, formatNumber } from '../kit/format.ts';
import type { Translate } from '../messages/catalogue.ts';
import { useLanguage } from '../messages/language.ts';

type Item = ResponseBody<'getCatalogPreview'>['items'][number];
type Change = Item['changes'][number];

/** The old and new value of each field that changes. */
export function Changes({ item, currency }: { item: Pick<Item, 'changes' | 'class'>; currency: string | undefined }) {
  const { t, locale } = useLanguage();
  if (item.changes.length === 0) {
    return item.class === 'UNCHANGED' ? (
      <Text size="sm" c="dimmed">
        {t('preview.noChange')}
      </Text>
    ) : null;
  }
  return item.changes.map((change) => (
    <Group key={change.field} gap={6}>
      <Text size="sm" c="dimmed">
        {t(`preview.field.${change.field}`)}
      </Text>
      <Text size="sm" component="s" c="dimmed">
        {valueText(change, change.old, t, currency)}
      </Text>
      <IconArrowNarrowRight size={16} aria-hidden className="mirrored" />
      <Text size="sm" fw={600}>
        {valueText(change, change.new, t, currency)}
      </Text>
      {change.change_percent !== undefined && (
        <Text size="sm" c="dimmed" dir="ltr">
          {percentText(change.change_percent, locale)}
        </Text>
      )}
    </Group>
  ));
}

function valueText({ field }: Change, value: Change['old'], t: Translate, currency: string | undefined): string {
  if (value === null || value === '') return t('preview.empty');
  if (typeof value === 'boolean') return t(value ? 'preview.yes' : 'preview.no');
  if (typeof value !== 'number') return value;
  return field === 'price' && currency !== undefined ? formatMoney(value, currency) : formatNumber(value);
}

function percentText(percent: number, locale: string): string {
  const style = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  return new Intl.NumberFormat(locale, style).format(percent / 100);
}
