import { ActionIcon, Button, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
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
import { ScopeList, ScopePicker } from './scope-picker.tsx';
import { defaultScopes, type Scope } from './scopes.ts';
import { StoreList, StorePicker } from './store-picker.tsx';

type Client = ResponseBody<'listClients'>['clients'][number];

export function ClientsPage() {
  const may = usePermission();
  const [page, setPage] = useState(1);
  const [isCreating, { open, close }] = useDisclosure(false);
  const { data } = useRead('listClients', { query: { page, page_size: 50 } });
  const create = may('createClient') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New client
    </Button>
  );
  return (
    <Page
      title="Client credentials"
      about="For systems that use OAuth 2.0. They exchange a client id and a client secret for access tokens that are valid for two hours. If you do not need OAuth, API tokens are simpler."
      actions={create}
    >
      <DataTable
        label="Client credentials"
        columns={useColumns()}
        rows={data?.clients}
        keyOf={(client) => client.client_id}
        empty={
          <EmptyState title="No client credentials yet" action={create}>
            Needed only by systems that require a client id and a client secret.
          </EmptyState>
        }
        paging={data && data.total_pages > 1 ? pagingOf(data, page, setPage) : undefined}
      />
      {isCreating && <NewClient onClose={close} />}
    </Page>
  );
}

function useColumns(): Column<Client>[] {
  const may = usePermission();
  return [
    {
      head: 'Name',
      cell: ({ name }) => (
        <Text size="sm" fw={500}>
          {name}
        </Text>
      ),
    },
    { head: 'Client id', cell: ({ client_id }) => <Copyable value={client_id} label="Copy client id" /> },
    { head: 'Scopes', cell: ({ scopes }) => <ScopeList value={scopes} />, isExtra: true },
    { head: 'Stores', cell: ({ vendor_ids }) => <StoreList value={vendor_ids} /> },
    { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
    { head: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    ...(may('deleteClient') ? [{ head: '', width: 50, cell: (client: Client) => <Delete client={client} /> }] : []),
  ];
}

function Delete({ client }: { client: Client }) {
  const remove = useChange('deleteClient', ['listClients']);
  const ask = () =>
    confirm({
      title: `Delete “${client.name}”?`,
      text: 'Its access tokens stop working immediately. This cannot be undone.',
      action: 'Delete',
      onConfirm: () =>
        remove.mutate(
          { params: { client_id: client.client_id } },
          { onSuccess: () => notifyDone(`“${client.name}” deleted.`) },
        ),
    });
  return (
    <Tooltip label="Delete">
      <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={`Delete ${client.name}`}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function NewClient({ onClose }: { onClose(): void }) {
  const create = useChange('createClient', ['listClients']);
  const form = useForm({
    initialValues: { name: '', scopes: [...defaultScopes] as Scope[], vendor_ids: [] as string[] },
    validate: {
      name: (text) => (text.trim() === '' ? 'Enter a name' : null),
      scopes: (list) => (list.length === 0 ? 'Select at least one' : null),
    },
  });
  const submit = form.onSubmit(({ name, scopes, vendor_ids }) =>
    create.mutate({ body: { name, scopes, ...(vendor_ids.length > 0 && { vendor_ids }) } }),
  );
  if (create.data) {
    const { client_id, client_secret } = create.data;
    const line = `curl -u '${client_id}:${client_secret}' -d grant_type=client_credentials '${location.origin}/v2/oauth/token'`;
    return (
      <Secret title="Client created" label="Client secret" secret={client_secret} onClose={onClose}>
        <Copyable value={client_id} label="Copy client id" />
        <Code text={line} language="shell" label="Get an access token" />
      </Secret>
    );
  }
  return (
    <Modal opened onClose={onClose} title="New client credentials">
      <form onSubmit={submit}>
        <Stack>
          <TextInput label="Name" placeholder="Order pickers" data-autofocus {...form.getInputProps('name')} />
          <ScopePicker {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <FormButtons submit="Create" isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
