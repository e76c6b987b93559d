import { Modal, Stack, TextInput } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { useSession } from '../api/session.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { Code } from '../kit/code.tsx';
import { Secret } from '../kit/secret.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { defaultScopes, type Scope } from './scopes.ts';
import { StorePicker } from './store-picker.tsx';

export function NewToken({ onClose }: { onClose(): void }) {
  const create = useChange('createToken', ['listTokens']);
  const form = useForm({
    initialValues: {
      name: '',
      scopes: [...defaultScopes] as Scope[],
      vendor_ids: [] as string[],
      expires_at: null as string | null,
    },
    validate: {
      name: (text) => (text.trim() === '' ? 'Enter a name' : null),
      scopes: (list) => (list.length === 0 ? 'Select at least one' : null),
    },
  });
  const submit = form.onSubmit(({ name, scopes, vendor_ids, expires_at }) =>
    create.mutate({
      body: {
        name,
        scopes,
        ...(vendor_ids.length > 0 && { vendor_ids }),
        ...(expires_at && { expires_at: `${expires_at}T23:59:59Z` }),
      },
    }),
  );
  if (create.data) return <TokenCreated token={create.data.token} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="New API token">
      <form onSubmit={submit}>
        <Stack>
          <TextInput label="Name" placeholder="Nightly stock upload" data-autofocus {...form.getInputProps('name')} />
          <ScopePicker {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <DateInput
            label="Expires"
            description="Leave empty for a token that does not expire."
            placeholder="Never"
            minDate={new Date()}
            clearable
            {...form.getInputProps('expires_at')}
          />
          <FormButtons submit="Create" isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

function TokenCreated({ token, onClose }: { token: string; onClose(): void }) {
  const { chain } = useSession();
  const line = `curl -H 'Authorization: Bearer ${token}' '${location.origin}/v2/chains/${chain.chain_id}/vendors'`;
  return (
    <Secret title="Token created" label="API token" secret={token} onClose={onClose}>
      <Code text={line} language="shell" label="Try it" />
    </Secret>
  );
}
