import { promotionStates } from '@aisle/contract/promotion';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { humanize } from '../kit/format.ts';
import { ButtonLink, RowLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Moment } from '../kit/time.tsx';
import { useStore } from '../api/store.tsx';
import { PromotionTimeline } from './promotion-timeline.tsx';
import { nameOf, type Promotion, shownState, typeLabels } from './labels.ts';

type Filter = 'ALL' | Promotion['state'];

export function PromotionsPage() {
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
      New promotion
    </ButtonLink>
  );
  return (
    <Page
      title="Promotions"
      about={`Promotions in ${store.name}. Running promotions appear in the catalog and apply to new orders.`}
      actions={create}
    >
      <Group>
        <SegmentedControl
          aria-label="Status"
          value={filter}
          onChange={(value) => {
            setFilter(value);
            setPage(1);
          }}
          data={[
            { value: 'ALL', label: 'All' },
            ...promotionStates.map((state) => ({ value: state, label: humanize(shownState(state)) })),
          ]}
        />
      </Group>
      {data && data.promotions.length > 0 && <PromotionTimeline promotions={data.promotions} />}
      <DataTable
        label="Promotions"
        columns={useColumns()}
        rows={data?.promotions}
        keyOf={(promotion) => promotion.promotion_id}
        onOpen={(promotion) =>
          void navigate({ to: '/promotions/$promotionId', params: { promotionId: promotion.promotion_id } })
        }
        empty={
          <EmptyState title={filter === 'ALL' ? 'No promotions yet' : 'No results'} action={filter === 'ALL' && create}>
            Reduce prices for a period of time, in one, several or all stores.
          </EmptyState>
        }
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function useColumns(): Column<Promotion>[] {
  const { store } = useStore();
  return [
    {
      head: 'Name',
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
            {typeLabels[promotion.type]}
          </Text>
        </>
      ),
    },
    { head: 'Status', cell: ({ state }) => <State value={shownState(state)} /> },
    { head: 'Reason', cell: ({ reason }) => (reason ? humanize(reason) : '–') },
    { head: 'From', cell: ({ conditions }) => <Moment at={conditions.start_time} /> },
    { head: 'Until', cell: ({ conditions }) => <Moment at={conditions.end_time} /> },
    { head: 'Stores', isExtra: true, cell: ({ vendors }) => (vendors.includes('*') ? 'All' : vendors.length) },
  ];
}
