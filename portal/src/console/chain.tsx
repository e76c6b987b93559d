import { Card, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { Copyable } from '../kit/copy.tsx';
import { DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Facts } from '../kit/facts.tsx';
import { humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ActButton } from './act.tsx';
import { useAllowed, usePlatform } from './api.ts';
import { Categories } from './categories.tsx';
import { Checklist } from './checklist.tsx';
import { AddCredential, AddUser } from './first-access.tsx';
import { ConsoleButtonLink, usePathParam } from './links.tsx';
import { StoreImport } from './store-import.tsx';

export function Chain() {
  const t = useMessages();
  const isAllowed = useAllowed();
  const chainId = usePathParam('chainId');
  const { data } = usePlatform('platformGetChain', { params: { chain_id: chainId } });
  return (
    <Page
      title={data?.name ?? t('console.chain')}
      actions={
        <>
          <ConsoleButtonLink to="/audit" search={{ chain_id: chainId }} variant="default">
            {t('console.audit')}
          </ConsoleButtonLink>
          {data && <ActButton chainId={chainId} chainName={data.name} />}
        </>
      }
    >
      {data && (
        <Card>
          <Facts
            facts={[
              [t('console.chainId'), <Copyable key="id" value={data.chain_id} />],
              [t('console.country'), data.country_code ?? '–'],
              [t('console.profile'), humanize(data.profile)],
              [t('console.created'), <Time key="created" at={data.created_at} />],
            ]}
          />
        </Card>
      )}
      <Tabs defaultValue="stores" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="stores">{t('console.stores')}</Tabs.Tab>
          {isAllowed('platformPutCategories') && (
            <Tabs.Tab value="categories">{t('console.onboard.categories')}</Tabs.Tab>
          )}
          <Tabs.Tab value="users">{t('console.portalUsers')}</Tabs.Tab>
          <Tabs.Tab value="credentials">{t('console.credentials')}</Tabs.Tab>
          <Tabs.Tab value="checklist">{t('console.checklist')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="stores">
          <Stores chainId={chainId} />
        </Tabs.Panel>
        <Tabs.Panel value="categories">
          <Categories chainId={chainId} />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <ChainUsers chainId={chainId} />
        </Tabs.Panel>
        <Tabs.Panel value="credentials">
          <Credentials chainId={chainId} />
        </Tabs.Panel>
        <Tabs.Panel value="checklist">
          <Checklist chainId={chainId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Stores({ chainId }: { chainId: string }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const [page, setPage] = useState(1);
  const { data } = usePlatform('platformListVendors', { params: { chain_id: chainId }, query: { page } });
  return (
    <Stack>
      <DataTable
        label={t('console.stores')}
        columns={[
          { head: t('console.store'), cell: ({ name }) => name },
          { head: t('console.storeId'), cell: ({ vendor_id }) => <span className="mono">{vendor_id}</span> },
          { head: t('console.externalId'), cell: ({ external_id }) => external_id ?? '' },
          { head: t('console.currency'), cell: ({ currency }) => currency },
          { head: t('console.created'), cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
        ]}
        rows={data?.vendors}
        keyOf={(row) => row.vendor_id}
        paging={pagingOf(data, page, setPage)}
        empty={<EmptyState title={t('console.noStores')} />}
      />
      {isAllowed('platformCreateVendors') && <StoreImport chainId={chainId} />}
    </Stack>
  );
}

function ChainUsers({ chainId }: { chainId: string }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const [page, setPage] = useState(1);
  const { data } = usePlatform('platformListUsers', { params: { chain_id: chainId }, query: { page } });
  return (
    <Stack>
      <DataTable
        label={t('console.portalUsers')}
        columns={[
          { head: t('console.email'), cell: ({ email }) => email },
          { head: t('console.name'), cell: ({ name }) => name },
          { head: t('console.role'), cell: ({ role }) => <State value={role} /> },
          { head: t('console.lastSignIn'), cell: ({ last_sign_in_at }) => <Time at={last_sign_in_at} /> },
        ]}
        rows={data?.users}
        keyOf={(row) => row.user_id}
        paging={pagingOf(data, page, setPage)}
        empty={<EmptyState title={t('console.noUsers')} />}
      />
      {isAllowed('platformCreateUser') && <AddUser chainId={chainId} />}
    </Stack>
  );
}

function Credentials({ chainId }: { chainId: string }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const params = { chain_id: chainId };
  const tokens = usePlatform('platformListTokens', { params, query: { page_size: 100 } });
  const clients = usePlatform('platformListClients', { params, query: { page_size: 100 } });
  const rows = tokens.data &&
    clients.data && [
      ...tokens.data.tokens.map((token) => ({ ...token, id: `${token.prefix}…`, kind: t('console.token') })),
      ...clients.data.clients.map((client) => ({ ...client, id: client.client_id, kind: t('console.client') })),
    ];
  return (
    <Stack>
      <DataTable
        label={t('console.credentials')}
        columns={[
          { head: t('console.name'), cell: ({ name }) => name },
          { head: t('console.kind'), cell: ({ kind }) => kind },
          { head: t('console.id'), cell: ({ id }) => <span className="mono">{id}</span> },
          {
            head: t('console.scopes'),
            cell: ({ scopes }) => <Text size="xs">{scopes.join(', ')}</Text>,
            isExtra: true,
          },
          { head: t('console.lastUsed'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
        ]}
        rows={rows}
        keyOf={(row) => row.id}
        empty={<EmptyState title={t('console.noCredentials')} />}
      />
      {isAllowed('platformCreateToken') && <AddCredential chainId={chainId} />}
    </Stack>
  );
}
