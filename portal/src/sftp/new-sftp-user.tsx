import { sftpScopes } from '@aisle/contract/sftp';
import { Modal, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { FormButtons } from '../kit/form-buttons.tsx';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { ScopePicker } from '../identity/scope-picker.tsx';
import { StorePicker } from '../identity/store-picker.tsx';
import { type SftpScope, sftpScopeLabels } from './labels.ts';
import { PasswordOnce } from './password-once.tsx';

export function NewSftpUser({ onClose }: { onClose(): void }) {
  const create = useChange('createSftpUser', ['listSftpUsers']);
  const form = useForm({
    initialValues: {
      name: '',
      scopes: [...sftpScopes] as SftpScope[],
      vendor_ids: [] as string[],
      password_login: true,
      public_key: '',
    },
    validate: {
      name: (text) => (/^[a-z][a-z0-9-]{0,31}$/.test(text) ? null : nameRule),
      scopes: (list) => (list.length === 0 ? 'Select at least one' : null),
      public_key: (text, { password_login }) =>
        text.trim() === '' && !password_login ? 'Enter a public key, or generate a password' : null,
    },
  });
  const submit = form.onSubmit(({ name, scopes, vendor_ids, password_login, public_key }) =>
    create.mutate(
      {
        body: {
          name,
          scopes,
          password_login,
          ...(vendor_ids.length > 0 && { vendor_ids }),
          ...(public_key.trim() !== '' && { public_keys: [public_key.trim()] }),
        },
      },
      { onSuccess: ({ password }) => password ?? onClose() },
    ),
  );
  if (create.data?.password) {
    return <PasswordOnce {...create.data} password={create.data.password} onClose={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title="New SFTP user">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label="Name"
            description={`${nameRule}. The username is the name with a suffix.`}
            placeholder="back-office"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker labels={sftpScopeLabels} {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <Switch
            label="Generate a password"
            description="Turn this off if the user logs in only with a public key."
            {...form.getInputProps('password_login', { type: 'checkbox' })}
          />
          <Textarea
            label="Public key"
            description="Optional. Paste the content of a .pub file. You can add more keys later."
            placeholder="ssh-ed25519 AAAA… comment"
            autosize
            minRows={2}
            classNames={{ input: 'mono' }}
            {...form.getInputProps('public_key')}
          />
          <FormButtons submit="Create" isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

const nameRule = 'Up to 32 lowercase letters, digits and hyphens, starting with a letter';
