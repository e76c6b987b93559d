import { promotionStates } from '@aisle/contract/promotion';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatNumber, humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Moment } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { PromotionTimeline } from './promotion-timeline.tsx';
import { nameOf, type Promotion, shownState } from './labels.ts';

type Filter = 'ALL' | Promotion['state'];

export function PromotionsPage() {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  const navigate = useNavigate();
  const [filter, setFilter] = useState<Filter>('ALL');
  const [page, setPage] = useState(1);
  const { data } = useRead(
    'listPromotions',
    { query: { vendor_id: store.vendor_id, page, page_size: 20, ...(filter !== 'ALL' && { state: filter }) } },
    { refetchInterval: 5000 },
  );
  const create = may('putPromotion') && (
    <ButtonLink to="/promotions/new" leftSection={<IconPlus size={16} />}>
      {t('promotions.new')}
    </ButtonLink>
  );
  return (
    <Page title={t('promotions.title')} about={t('promotions.about', { store: store.name })} actions={create}>
      <Group>
        <SegmentedControl
          aria-label={t('promotions.status')}
          value={filter}
          onChange={(value) => {
            setFilter(value);
            setPage(1);
          }}
          data={[
            { value: 'ALL', label: t('promotions.all') },
            ...promotionStates.map((state) => ({ value: state, label: humanize(shownState(state)) })),
          ]}
        />
      </Group>
      {data && data.promotions.length > 0 && <PromotionTimeline promotions={data.promotions} />}
      <DataTable
        label={t('promotions.title')}
        columns={useColumns()}
        rows={data?.promotions}
        keyOf={(promotion) => promotion.promotion_id}
        onOpen={(promotion) =>
          void navigate({ to: '/promotions/$promotionId', params: { promotionId: promotion.promotion_id } })
        }
        empty={
          <EmptyState
            title={t(filter === 'ALL' ? 'promotions.none' : 'kit.noResults')}
            action={filter === 'ALL' && create}
          >
            {t('promotions.noneHelp')}
          </EmptyState>
        }
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function useColumns(): Column<Promotion>[] {
  const t = useMessages();
  const { store } = useStore();
  return [
    {
      head: t('promotions.name'),
      cell: (promotion) => (
        <>
          <RowLink
            to="/promotions/$promotionId"
            params={{ promotionId: promotion.promotion_id }}
            style={{ whiteSpace: 'normal' }}
          >
            {nameOf(promotion, store.locale)}
          </RowLink>
          <Text size="xs" c="dimmed">
            {t(`promotions.type.${promotion.type}`)}
          </Text>
        </>
      ),
    },
    { head: t('promotions.status'), cell: ({ state }) => <State value={shownState(state)} /> },
    { head: t('promotions.reason'), cell: ({ reason }) => (reason ? humanize(reason) : '–') },
    { head: t('promotions.from'), cell: ({ conditions }) => <Moment at={conditions.start_time} /> },
    { head: t('promotions.until'), cell: ({ conditions }) => <Moment at={conditions.end_time} /> },
    {
      head: t('promotions.stores'),
      isExtra: true,
      cell: ({ vendors }) => (vendors.includes('*') ? t('promotions.all') : formatNumber(vendors.length)),
    },
  ];
}
