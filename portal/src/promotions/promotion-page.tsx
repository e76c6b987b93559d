import { Alert, Badge, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconPlayerStop } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import {
  formatDateTime,
  formatList,
  formatLocale,
  formatMoney,
  formatNames,
  formatNumber,
  humanize,
} from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { localText } from '../kit/localized.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import type { Translate } from '../messages/catalogue.ts';
import { useMessages } from '../messages/use-messages.ts';
import { type Store, useStore } from '../api/store.tsx';
import { discountLabel, type Entry, nameOf, shownState } from './labels.ts';

type Details = ResponseBody<'getPromotion'>;

export function PromotionPage() {
  const t = useMessages();
  const { promotionId } = useParams({ from: '/signed-in/promotions/$promotionId' });
  const { store, stores } = useStore();
  const [page, setPage] = useState(1);
  const { data } = useRead(
    'getPromotion',
    { params: { promotion_id: promotionId }, query: { page, page_size: 50 } },
    { refetchInterval: 3000 },
  );
  if (!data || data.promotion_id !== promotionId) return <Skeleton height={300} />;
  const covered = data.vendors.includes('*')
    ? t('promotions.allStores')
    : formatNames(data.vendors.map((id) => stores.find((store) => store.vendor_id === id)?.name ?? id));
  return (
    <Page
      title={nameOf(data, store.locale)}
      about={Object.entries(data.display_name)
        .map(([locale, name]) => t('promotions.nameIn', { language: formatLocale(locale), name }))
        .join(' · ')}
      actions={
        <>
          <ButtonLink to="/promotions" variant="default" leftSection={<IconArrowLeft size={16} />}>
            {t('promotions.title')}
          </ButtonLink>
          <Stop promotion={data} />
        </>
      }
    >
      <Card>
        <Stack gap="xs">
          <Group gap="sm">
            <State value={shownState(data.state)} />
            {data.reason && (
              <Badge variant="outline" color="gray" tt="none">
                {humanize(data.reason)}
              </Badge>
            )}
          </Group>
          <Text size="sm">
            {formatDateTime(data.conditions.start_time)} – {formatDateTime(data.conditions.end_time)}
          </Text>
          <Text size="sm">{covered}</Text>
          {data.type === 'SAME_ITEM_BUNDLE' && (
            <Text size="sm">
              {t('promotions.bundle', {
                purchased: data.conditions.purchased_quantity ?? 0,
                discounted: data.conditions.discounted_quantity ?? 0,
              })}
            </Text>
          )}
          <Limits limits={data.limits} currency={store.currency} />
        </Stack>
      </Card>
      <DataTable
        label={t('promotions.discounts')}
        columns={columnsFor(t, data.discount, store)}
        rows={data.discount}
        keyOf={(entry) => entry.sku.join(' ')}
        empty={<Alert color="gray">{t('promotions.noProducts')}</Alert>}
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function columnsFor(t: Translate, entries: readonly Entry[], { currency, locale }: Store): Column<Entry>[] {
  const isLimited = entries.some(({ max_quantity }) => max_quantity !== undefined && max_quantity !== null);
  return [
    {
      head: t('promotions.product'),
      cell: ({ sku, title }) => <NamedEntry sku={sku[0] ?? ''} title={localText(title, locale)} />,
    },
    { head: t('promotions.discount'), cell: (entry) => discountLabel(t, entry, currency) },
    ...(isLimited
      ? [
          {
            head: t('promotions.maxPerOrder'),
            cell: ({ max_quantity }: Entry) =>
              typeof max_quantity === 'number' ? formatNumber(max_quantity) : t('promotions.noLimit'),
          },
        ]
      : []),
  ];
}

function NamedEntry({ sku, title }: { sku: string; title: string | undefined }) {
  return (
    <>
      <RowLink to="/products/$sku" params={{ sku }} style={{ whiteSpace: 'normal' }}>
        {title ?? sku}
      </RowLink>
      <Text className="mono" c="dimmed">
        {sku}
      </Text>
    </>
  );
}

function Limits({ limits, currency }: { limits: Details['limits']; currency: string }) {
  const t = useMessages();
  const parts = [
    limits.max_discount_per_order !== undefined &&
      t('promotions.limit.discount', { amount: formatMoney(limits.max_discount_per_order, currency) }),
    limits.max_items_per_order !== undefined && t('promotions.limit.items', { units: limits.max_items_per_order }),
    limits.global_limit !== undefined && t('promotions.limit.total', { units: limits.global_limit }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : <Text size="sm">{t('promotions.limits', { limits: formatList(parts) })}</Text>;
}

/** Stops the promotion by sending it again with `active: false`. */
function Stop({ promotion }: { promotion: Details }) {
  const t = useMessages();
  const may = usePermission();
  const put = useChange('putPromotion', ['listPromotions', 'getPromotion', 'listCatalog']);
  if (!may('putPromotion') || promotion.state === 'CANCELLED' || promotion.state === 'ENDED') return null;
  // The promotion keeps running until the job finishes, shortly after the response.
  const isStopping = put.isPending || put.isSuccess;
  const { vendors, type, display_name, conditions } = promotion;
  const ask = () =>
    confirm({
      title: t('promotions.stopAsk'),
      text: t('promotions.stopHelp'),
      action: t('promotions.stop'),
      onConfirm: () =>
        put.mutate(
          { body: { vendors, type, display_name, conditions, active: false } },
          { onSuccess: () => notifyDone(t('promotions.stopping')) },
        ),
    });
  return (
    <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={ask} loading={isStopping}>
      {t('promotions.stop')}
    </Button>
  );
}
