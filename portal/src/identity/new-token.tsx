import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { useSession } from '../api/session.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { DateInput } from '../kit/dates.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { Code } from '../kit/code.tsx';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ScopePicker } from './scope-picker.tsx';
import type { Scope } from './scopes.ts';
import { StorePicker } from './store-picker.tsx';

export function NewToken({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const create = useChange('createToken', ['listTokens']);
  const form = useForm({
    initialValues: {
      name: '',
      scopes: [] as Scope[],
      vendor_ids: [] as string[],
      expires_at: null as string | null,
    },
    validate: {
      name: (text) => (text.trim() === '' ? t('credentials.enterName') : null),
      scopes: (list) => (list.length === 0 ? t('credentials.selectOne') : null),
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
    <Dialog isPending={create.isPending} onClose={onClose} title={t('tokens.newTitle')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('credentials.name')}
            placeholder={t('tokens.namePlaceholder')}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <DateInput
            label={t('credentials.expires')}
            description={t('tokens.expiresHelp')}
            placeholder={t('credentials.never')}
            minDate={new Date()}
            clearable
            {...form.getInputProps('expires_at')}
          />
          <FormButtons submit={t('credentials.create')} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function TokenCreated({ token, onClose }: { token: string; onClose(): void }) {
  const t = useMessages();
  const { chain } = useSession();
  const line = `curl -H 'Authorization: Bearer ${token}' '${location.origin}/v2/chains/${chain.chain_id}/vendors'`;
  return (
    <Secret title={t('tokens.created')} label={t('tokens.token')} secret={token} onClose={onClose}>
      <Code text={line} language="shell" label={t('tokens.tryIt')} />
    </Secret>
  );
}
