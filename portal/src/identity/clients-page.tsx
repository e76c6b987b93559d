import { ActionIcon, Button, Input, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { Code } from '../kit/code.tsx';
import { confirm } from '../kit/confirm.tsx';
import { Copyable } from '../kit/copy.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { Time } from '../kit/time.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ScopeList, ScopePicker } from './scope-picker.tsx';
import type { Scope } from './scopes.ts';
import { StoreList, StorePicker } from './store-picker.tsx';

type Client = ResponseBody<'listClients'>['clients'][number];

export function ClientsPage() {
  const t = useMessages();
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listClients', { query: { page, page_size: 50 } });
  const create = may('createClient') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {t('clients.new')}
    </Button>
  );
  return (
    <Page title={t('clients.title')} about={t('clients.about')} actions={create}>
      <DataTable
        label={t('clients.title')}
        columns={useColumns()}
        rows={data?.clients}
        keyOf={(client) => client.client_id}
        empty={
          <EmptyState title={t('clients.none')} action={create}>
            {t('clients.noneHelp')}
          </EmptyState>
        }
        paging={data && data.total_pages > 1 ? pagingOf(data, page, setPage) : undefined}
      />
      {isCreating && <NewClient onClose={close} />}
    </Page>
  );
}

function useColumns(): Column<Client>[] {
  const t = useMessages();
  const may = usePermission();
  return [
    {
      head: t('credentials.name'),
      cell: ({ name }) => (
        <Text size="sm" fw={500}>
          {name}
        </Text>
      ),
    },
    {
      head: t('clients.id'),
      cell: ({ client_id }) => <Copyable value={client_id} label={t('clients.copyId')} isWhole />,
    },
    { head: t('credentials.scopes'), cell: ({ scopes }) => <ScopeList value={scopes} />, isExtra: true },
    { head: t('credentials.stores'), cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    { head: t('credentials.created'), cell: ({ created_at }) => <Time at={created_at} />, isExtra: true },
    { head: t('credentials.lastUsed'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    ...(may('deleteClient') ? [{ head: '', width: 50, cell: (client: Client) => <Delete client={client} /> }] : []),
  ];
}

function Delete({ client }: { client: Client }) {
  const t = useMessages();
  const remove = useChange('deleteClient', ['listClients']);
  const ask = () =>
    confirm({
      title: t('clients.deleteAsk', { name: client.name }),
      text: t('clients.deleteText'),
      action: t('clients.delete'),
      onConfirm: () =>
        remove.mutate(
          { params: { client_id: client.client_id } },
          { onSuccess: () => notifyDone(t('clients.deleted', { name: client.name })) },
        ),
    });
  return (
    <Tooltip label={t('clients.delete')}>
      <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={t('clients.deleteOne', { name: client.name })}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function NewClient({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const create = useChange('createClient', ['listClients']);
  const form = useForm({
    initialValues: { name: '', scopes: [] as Scope[], vendor_ids: [] as string[] },
    validate: {
      name: (text) => (text.trim() === '' ? t('credentials.enterName') : null),
      scopes: (list) => (list.length === 0 ? t('credentials.selectOne') : null),
    },
  });
  const submit = form.onSubmit(({ name, scopes, vendor_ids }) =>
    create.mutate({ body: { name, scopes, ...(vendor_ids.length > 0 && { vendor_ids }) } }),
  );
  if (create.data) {
    const { client_id, client_secret } = create.data;
    const line = `curl -u '${client_id}:${client_secret}' -d grant_type=client_credentials '${location.origin}/v2/oauth/token'`;
    return (
      <Secret title={t('clients.created')} label={t('clients.secret')} secret={client_secret} onClose={onClose}>
        <Input.Wrapper label={t('clients.id')} labelElement="div">
          <Copyable value={client_id} label={t('clients.copyId')} isWhole />
        </Input.Wrapper>
        <Code text={line} language="shell" label={t('clients.getToken')} />
      </Secret>
    );
  }
  return (
    <Dialog isPending={create.isPending} onClose={onClose} title={t('clients.newTitle')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('credentials.name')}
            placeholder={t('clients.namePlaceholder')}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <FormButtons submit={t('credentials.create')} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
