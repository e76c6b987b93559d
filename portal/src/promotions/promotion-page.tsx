import { Alert, Badge, Button, Card, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconPlayerStop } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { formatDateTime, formatMoney, formatNumber, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { localText } from '../kit/localized.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { type Store, useStore } from '../api/store.tsx';
import { discountLabel, type Entry, nameOf, shownState } from './labels.ts';

type Details = ResponseBody<'getPromotion'>;

export function PromotionPage() {
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
    ? 'All current and future stores'
    : data.vendors.map((id) => stores.find((store) => store.vendor_id === id)?.name ?? id).join(', ');
  return (
    <Page
      title={nameOf(data, store.locale)}
      about={Object.entries(data.display_name)
        .map(([locale, text]) => `${locale}: ${text}`)
        .join(' · ')}
      actions={
        <>
          <ButtonLink to="/promotions" variant="default" leftSection={<IconArrowLeft size={16} />}>
            Promotions
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
              For every {data.conditions.purchased_quantity} units bought, {data.conditions.discounted_quantity}{' '}
              discounted
            </Text>
          )}
          <Limits limits={data.limits} currency={store.currency} />
        </Stack>
      </Card>
      <DataTable
        label="Discounts"
        columns={columnsFor(data.discount, store)}
        rows={data.discount}
        keyOf={(entry) => entry.sku.join(' ')}
        empty={<Alert color="gray">This promotion has no products.</Alert>}
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function columnsFor(entries: readonly Entry[], { currency, locale }: Store): Column<Entry>[] {
  const isLimited = entries.some(({ max_quantity }) => max_quantity !== undefined && max_quantity !== null);
  return [
    { head: 'Product', cell: ({ sku, title }) => <NamedEntry sku={sku[0] ?? ''} title={localText(title, locale)} /> },
    { head: 'Discount', cell: (entry) => discountLabel(entry, currency) },
    ...(isLimited ? [{ head: 'Max per order', cell: ({ max_quantity }: Entry) => max_quantity ?? 'No limit' }] : []),
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
  const parts = [
    limits.max_discount_per_order !== undefined &&
      `${formatMoney(limits.max_discount_per_order, currency)} off per order`,
    limits.max_items_per_order !== undefined &&
      `${formatNumber(limits.max_items_per_order)} discounted units per order`,
    limits.global_limit !== undefined && `${formatNumber(limits.global_limit)} discounted units in total`,
  ].filter(Boolean);
  return parts.length === 0 ? null : <Text size="sm">Limits: {parts.join(', ')}</Text>;
}

/** Stops the promotion by sending it again with `active: false`. */
function Stop({ promotion }: { promotion: Details }) {
  const may = usePermission();
  const put = useChange('putPromotion', ['listPromotions', 'getPromotion', 'listCatalog']);
  if (!may('putPromotion') || promotion.state === 'CANCELLED' || promotion.state === 'ENDED') return null;
  // The promotion keeps running until the job finishes, shortly after the response.
  const isStopping = put.isPending || put.isSuccess;
  const { vendors, type, display_name, conditions } = promotion;
  const ask = () =>
    confirm({
      title: 'Stop this promotion?',
      text: 'Prices return to normal immediately. Existing orders are not affected.',
      action: 'Stop',
      onConfirm: () =>
        put.mutate(
          { body: { vendors, type, display_name, conditions, active: false } },
          { onSuccess: () => notifyDone('Stopping the promotion.') },
        ),
    });
  return (
    <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={ask} loading={isStopping}>
      Stop
    </Button>
  );
}
