import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatDate } from '../kit/format.ts';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Time } from '../kit/time.tsx';
import { NewToken } from './new-token.tsx';
import { ScopeList } from './scope-picker.tsx';
import { StoreList } from './store-picker.tsx';

type Token = ResponseBody<'listTokens'>['tokens'][number];

export function TokensPage() {
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listTokens', { query: { page, page_size: 50 } });
  const create = may('createToken') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New token
    </Button>
  );
  return (
    <Page
      title="API tokens"
      about="A token gives one of your systems access to the API until it expires or is revoked. Up to 11 at a time."
      actions={create}
    >
      <DataTable
        label="API tokens"
        columns={useColumns()}
        rows={data?.tokens}
        keyOf={(token) => token.token_id}
        empty={<NoTokens action={create} />}
        paging={data && data.total_pages > 1 ? pagingOf(data, page, setPage) : undefined}
      />
      {isCreating && <NewToken onClose={close} />}
    </Page>
  );
}

function useColumns(): Column<Token>[] {
  const may = usePermission();
  return [
    {
      head: 'Name',
      cell: ({ name, prefix }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <Text className="mono" c="dimmed">
            {prefix}…
          </Text>
        </>
      ),
    },
    { head: 'Scopes', cell: ({ scopes }) => <ScopeList value={scopes} />, isExtra: true },
    { head: 'Stores', cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    { head: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      head: 'Expires',
      cell: ({ expires_at }) => <span className="nowrap">{expires_at ? formatDate(expires_at) : 'Never'}</span>,
    },
    ...(may('deleteToken') ? [{ head: '', width: 50, cell: (token: Token) => <Revoke token={token} /> }] : []),
  ];
}

function Revoke({ token }: { token: Token }) {
  const revoke = useChange('deleteToken', ['listTokens']);
  const ask = () =>
    confirm({
      title: `Revoke “${token.name}”?`,
      text: 'Requests that use this token are rejected from now on. This cannot be undone.',
      action: 'Revoke',
      onConfirm: () =>
        revoke.mutate(
          { params: { token_id: token.token_id } },
          { onSuccess: () => notifyDone(`“${token.name}” revoked.`) },
        ),
    });
  return (
    <Tooltip label="Revoke">
      <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={`Revoke ${token.name}`}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function NoTokens({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState title="No tokens yet" action={action}>
      Create one and send it in the Authorization header of your requests.
    </EmptyState>
  );
}
