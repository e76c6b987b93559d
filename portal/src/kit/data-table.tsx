import { Card, Group, Pagination, Select, Skeleton, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { formatNumber } from './format.ts';
import { useMessages } from '../messages/use-messages.ts';

export type Column<Row> = {
  /** Empty for the actions of a row. */
  head: ReactNode;
  /** On phones, the name of the value in a card. Default: `head` if it is a text. */
  label?: string;
  cell: (row: Row) => ReactNode;
  /** Right-aligned. */
  isNumber?: boolean;
  width?: number | string;
  /** Hidden on tablets and phones. */
  isExtra?: boolean;
};

type Paging = {
  page: number;
  pageSize: number;
  totalPages: number;
  totalItems: number;
  isEstimate: boolean;
  onPage(page: number): void;
  onPageSize?(size: number): void;
};

type ListPage = {
  page_size: number;
  total_pages: number;
  total_items: number;
  total_items_is_estimate?: boolean | undefined;
};

/** `list` is the response of a list route, or undefined until it is loaded. */
export function pagingOf(
  list: ListPage | undefined,
  page: number,
  onPage: (page: number) => void,
  onPageSize?: (size: number) => void,
): Paging | undefined {
  if (!list) return undefined;
  const { page_size: pageSize, total_pages: totalPages, total_items: totalItems } = list;
  const isEstimate = list.total_items_is_estimate ?? false;
  return { page, pageSize, totalPages, totalItems, isEstimate, onPage, ...(onPageSize && { onPageSize }) };
}

type DataTableProps<Row> = {
  label: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  keyOf(row: Row): string;
  empty: ReactNode;
  /** Called when a row is clicked. For keyboard users, the first cell also has a link (`RowLink`) or a button. */
  onOpen?(row: Row): void;
  paging?: Paging | undefined;
  /** On narrower tablets, the table scrolls horizontally. On phones, each row is a card. */
  minWidth?: number;
  /** Shown above the rows. */
  title?: ReactNode;
};

/** A table with one page of rows, and placeholders until the first page is loaded. Paging is done by the server. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const t = useMessages();
  const { label, columns, rows, keyOf, empty, onOpen, paging, minWidth = 560, title } = props;
  if (rows?.length === 0 && (paging?.page ?? 1) === 1) return <Card padding={0}>{empty}</Card>;
  return (
    <Card padding={0}>
      {title}
      <Table.ScrollContainer
        minWidth={minWidth}
        type="native"
        classNames={{ scrollContainerInner: classes['inner'] ?? '' }}
      >
        <Table className={classes['cards']} aria-label={label} aria-busy={rows === undefined}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                <Table.Th
                  key={index}
                  w={column.width}
                  ta={column.isNumber ? 'end' : undefined}
                  visibleFrom={extra(column)}
                >
                  {column.head === '' ? <VisuallyHidden>{t('kit.actions')}</VisuallyHidden> : column.head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows?.map((row) => <Row key={keyOf(row)} row={row} columns={columns} onOpen={onOpen} />) ?? (
              <Placeholders columns={columns} />
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {paging && paging.totalItems > 0 && <Pager label={label} {...paging} />}
    </Card>
  );
}

function extra(column: { isExtra?: boolean }) {
  return column.isExtra ? 'lg' : undefined;
}

type RowProps<Row> = { row: Row; columns: Column<Row>[]; onOpen: ((row: Row) => void) | undefined };

function Row<Row>({ row, columns, onOpen }: RowProps<Row>) {
  return (
    <Table.Tr
      className={onOpen && 'clickable'}
      // Links and checkboxes in the row handle their own clicks.
      onClick={onOpen && (({ target }) => (target as Element).closest('a, input') ?? onOpen(row))}
    >
      {columns.map((column, index) => (
        <Table.Td
          key={index}
          className={column.isNumber ? 'number' : undefined}
          visibleFrom={extra(column)}
          data-extra={column.isExtra}
          data-label={column.label ?? (typeof column.head === 'string' ? column.head : '')}
        >
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Placeholders({ columns }: { columns: { isExtra?: boolean }[] }) {
  return Array.from({ length: 6 }, (_, row) => (
    <Table.Tr key={row}>
      {columns.map((column, index) => (
        <Table.Td key={index} visibleFrom={extra(column)}>
          <Skeleton height={14} my={5} width={`${50 + ((row * 7 + index * 13) % 40)}%`} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

function Pager(props: Paging & { label: string }) {
  const { label, page, pageSize, totalPages, totalItems, isEstimate, onPage, onPageSize } = props;
  const t = useMessages();
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, totalItems);
  return (
    <Group justify="space-between" px="md" py="xs" style={{ borderTop: '1px solid var(--aisle-line)' }}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {first > last
          ? t('kit.noRows', { total: totalItems })
          : t(isEstimate ? 'kit.rowsEstimated' : 'kit.rows', { first, last, total: totalItems })}
      </Text>
      <Group gap="sm">
        {onPageSize && (
          <Select
            size="xs"
            w={110}
            aria-label={t('kit.rowsPerPage', { table: label })}
            data={['20', '50', '100', '500'].map((value) => ({
              value,
              label: t('kit.pageSize', { count: Number(value) }),
            }))}
            value={String(pageSize)}
            onChange={(value) => value && onPageSize(Number(value))}
            allowDeselect={false}
          />
        )}
        <Pagination
          size="sm"
          total={totalPages}
          value={page}
          onChange={onPage}
          getItemProps={(number) => ({ children: formatNumber(number) })}
          getControlProps={(control) => ({ 'aria-label': t(`kit.page.${control}`) })}
        />
      </Group>
    </Group>
  );
}
