import { Button, Card, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useChange, useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState, NoResults } from '../kit/empty-state.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';
import { CategorySelect, CategoryTree } from './category-tree.tsx';
import { useProductColumns } from './product-columns.tsx';
import type { CatalogSearch } from './search.ts';
import classes from './catalog.module.css';

export function CatalogPage() {
  const t = useMessages();
  const { store } = useStore();
  const mayChange = usePermission()('updateCatalog');
  const search = useSearch({ from: '/signed-in/catalog' });
  const navigate = useNavigate({ from: '/catalog' });
  const change = (part: Partial<CatalogSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const { page = 1, rows: pageSize = 20 } = search;
  const { data } = useRead('listCatalog', {
    params: { vendor_id: store.vendor_id },
    query: {
      ...(search.term && { query_term: search.term, sort: 'relevance' as const }),
      ...(search.category && { category_global_ids: [search.category] }),
      ...(search.active !== undefined && { is_active: search.active }),
      page,
      page_size: pageSize,
    },
  });
  const isFiltered = search.term !== undefined || search.category !== undefined || search.active !== undefined;
  return (
    <Page
      title={t('catalog.title')}
      about={t(mayChange ? 'catalog.aboutEditing' : 'catalog.about', { store: store.name })}
      actions={<Actions />}
    >
      <div className={classes['columns']}>
        <Card padding="xs" className={classes['tree']} component="aside" aria-label={t('catalog.categories')}>
          <CategoryTree chosen={search.category} onChoose={(category) => change({ category })} />
        </Card>
        <Stack gap="sm" miw={0}>
          <Filters search={search} onChange={change} />
          <DataTable
            label={t('catalog.products')}
            columns={useProductColumns()}
            rows={data?.products}
            // What is typed into a row must not be saved at another store that has the product.
            keyOf={({ sku }) => `${store.vendor_id} ${sku}`}
            empty={
              <NoProducts
                isFiltered={isFiltered}
                onClear={() => change({ term: undefined, category: undefined, active: undefined })}
              />
            }
            paging={pagingOf(
              data,
              page,
              (next) => change({ page: next }),
              (rows) => change({ rows }),
            )}
          />
        </Stack>
      </div>
    </Page>
  );
}

function Filters({ search, onChange }: { search: CatalogSearch; onChange(part: Partial<CatalogSearch>): void }) {
  const t = useMessages();
  const active = search.active === undefined ? 'all' : String(search.active);
  return (
    <Group gap="sm">
      <SearchField
        label={t('catalog.search')}
        placeholder={t('catalog.searchPlaceholder')}
        term={search.term}
        onSearch={(term) => onChange({ term })}
      />
      <CategorySelect chosen={search.category} onChoose={(category) => onChange({ category })} />
      <SegmentedControl
        aria-label={t('catalog.status')}
        value={active}
        onChange={(value) => onChange({ active: value === 'all' ? undefined : value === 'true' })}
        data={[
          { value: 'all', label: t('catalog.all') },
          { value: 'true', label: t('catalog.active') },
          { value: 'false', label: t('catalog.inactive') },
        ]}
      />
    </Group>
  );
}

function Actions() {
  const t = useMessages();
  const may = usePermission();
  const { store } = useStore();
  const navigate = useNavigate();
  const start = useChange('exportCatalog', ['listCatalogJobs']);
  const exportAll = () =>
    start.mutate(
      { params: { vendor_id: store.vendor_id } },
      { onSuccess: ({ job_id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id } }) },
    );
  if (!may('exportCatalog')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={exportAll} loading={start.isPending}>
        {t('catalog.export')}
      </Button>
      <Button component={Link} to="/files/upload" leftSection={<IconUpload size={16} />}>
        {t('catalog.upload')}
      </Button>
    </>
  );
}

function NoProducts({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useMessages();
  const may = usePermission();
  if (!isFiltered) {
    return (
      <EmptyState
        title={t('catalog.none')}
        action={
          may('uploadFile') && (
            <ButtonLink to="/files/upload" search={{ kind: 'products' }}>
              {t('catalog.uploadProducts')}
            </ButtonLink>
          )
        }
      >
        {t('catalog.noneHelp')}
      </EmptyState>
    );
  }
  return <NoResults onClear={onClear}>{t('catalog.noMatch')}</NoResults>;
}
