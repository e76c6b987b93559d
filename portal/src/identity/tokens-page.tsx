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
import { useMessages } from '../messages/use-messages.ts';
import { NewToken } from './new-token.tsx';
import { ScopeList } from './scope-picker.tsx';
import { StoreList } from './store-picker.tsx';

type Token = ResponseBody<'listTokens'>['tokens'][number];

export function TokensPage() {
  const t = useMessages();
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listTokens', { query: { page, page_size: 50 } });
  const create = may('createToken') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {t('tokens.new')}
    </Button>
  );
  return (
    <Page title={t('tokens.title')} about={t('tokens.about')} actions={create}>
      <DataTable
        label={t('tokens.title')}
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
  const t = useMessages();
  const may = usePermission();
  return [
    {
      head: t('credentials.name'),
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
    { head: t('credentials.scopes'), cell: ({ scopes }) => <ScopeList value={scopes} />, isExtra: true },
    { head: t('credentials.stores'), cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    { head: t('credentials.created'), cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
    { head: t('credentials.lastUsed'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      head: t('credentials.expires'),
      cell: ({ expires_at }) => (
        <span className="nowrap">{expires_at ? formatDate(expires_at) : t('credentials.never')}</span>
      ),
    },
    ...(may('deleteToken') ? [{ head: '', width: 50, cell: (token: Token) => <Revoke token={token} /> }] : []),
  ];
}

function Revoke({ token }: { token: Token }) {
  const t = useMessages();
  const revoke = useChange('deleteToken', ['listTokens']);
  const ask = () =>
    confirm({
      title: t('tokens.revokeAsk', { name: token.name }),
      text: t('tokens.revokeText'),
      action: t('tokens.revoke'),
      onConfirm: () =>
        revoke.mutate(
          { params: { token_id: token.token_id } },
          { onSuccess: () => notifyDone(t('tokens.revoked', { name: token.name })) },
        ),
    });
  return (
    <Tooltip label={t('tokens.revoke')}>
      <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={t('tokens.revokeOne', { name: token.name })}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function NoTokens({ action }: { action: React.ReactNode }) {
  const t = useMessages();
  return (
    <EmptyState title={t('tokens.none')} action={action}>
      {t('tokens.noneHelp')}
    </EmptyState>
  );
}
