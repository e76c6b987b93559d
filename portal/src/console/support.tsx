import { Badge, Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { humanizeIfCode } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type PlatformBody, usePlatform } from './api.ts';
import { ConsoleRowLink, useFilters, useGo } from './links.tsx';
import { ChainLink } from './lists.tsx';

type Result = PlatformBody<'platformSearch'>['results'][number];

/** Finds anything by its id, code, phone number, SKU or request id. */
export function Support() {
  const t = useMessages();
  const go = useGo();
  const { query = '' } = useFilters();
  const [text, setText] = useState(query);
  const { data, isFetching } = usePlatform('platformSearch', { query: { query } }, { enabled: query.length > 1 });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim().length > 1) go({ to: '/support', search: { query: text.trim() } });
  };
  return (
    <Page title={t('console.support')} about={t('console.supportAbout')}>
      <form onSubmit={submit} role="search">
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t('console.find')}
            placeholder={t('console.findExample')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoFocus
            maxLength={200}
            style={{ flex: '1 1 16rem' }}
          />
          <Button type="submit" loading={isFetching}>
            {t('console.findButton')}
          </Button>
        </Group>
      </form>
      {query.length > 1 && (
        <DataTable
          label={t('console.results')}
          columns={[
            {
              head: t('console.kind'),
              cell: ({ kind }) => (
                <Badge variant="default" radius="sm" tt="none" fw={500}>
                  {t(`console.kind.${kind}`)}
                </Badge>
              ),
              width: 110,
            },
            { head: t('console.found'), cell: (result) => <ResultLink result={result} /> },
            { head: t('console.detail'), cell: ({ detail }) => humanizeIfCode(detail) },
            { head: t('console.chain'), cell: (row) => <ChainLink {...row} /> },
            { head: t('console.time'), cell: ({ at }) => (at ? <Time at={at} /> : null) },
          ]}
          rows={data?.results}
          keyOf={(row) => `${row.kind} ${row.chain_id} ${row.id}`}
          empty={<EmptyState title={t('console.nothingFound')}>{t('console.nothingFoundHelp')}</EmptyState>}
        />
      )}
    </Page>
  );
}

/** What belongs to an order opens the order, and everything else its chain. */
function ResultLink({ result: { kind, id, title, chain_id, order_id } }: { result: Result }) {
  const text = title === '' ? id : title;
  if (order_id !== null) {
    return (
      <ConsoleRowLink
        to="/orders/$orderId"
        params={{ orderId: order_id }}
        search={kind === 'order' ? {} : { mark: id }}
      >
        {text}
      </ConsoleRowLink>
    );
  }
  return (
    <ConsoleRowLink to="/chains/$chainId" params={{ chainId: chain_id }}>
      {text}
    </ConsoleRowLink>
  );
}
