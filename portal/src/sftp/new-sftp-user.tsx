import { sftpScopes } from '@aisle/contract/sftp';
import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { Dialog } from '../kit/dialog.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { useForm } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { useChange } from '../api/hooks.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { ScopePicker } from '../identity/scope-picker.tsx';
import { StorePicker } from '../identity/store-picker.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { type SftpScope, sftpScopeLabels } from './labels.ts';
import { PasswordOnce } from './password-once.tsx';

export function NewSftpUser({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const showError = (error: Error) => {
    const errors = fieldErrorsOf(error, ['name', 'scopes', keyPointer]);
    if (!errors) return notifyFailure(error);
    const { [keyPointer]: publicKey, ...others } = errors;
    form.setErrors({ ...others, ...(publicKey && { public_key: publicKey }) });
  };
  const create = useChange('createSftpUser', ['listSftpUsers'], showError);
  const form = useForm({
    initialValues: {
      name: '',
      scopes: [...sftpScopes] as SftpScope[],
      vendor_ids: [] as string[],
      password_login: true,
      public_key: '',
    },
    validate: {
      name: (text) => (/^[a-z][a-z0-9-]{0,31}$/.test(text) ? null : t('sftp.nameRule')),
      scopes: (list) => (list.length === 0 ? t('sftp.selectOne') : null),
      public_key: (text, { password_login }) =>
        text.trim() === '' && !password_login ? t('sftp.keyOrPassword') : null,
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
    <Dialog isPending={create.isPending} onClose={onClose} title={t('sftp.new')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('sftp.name')}
            description={t('sftp.nameHelp', { rule: t('sftp.nameRule') })}
            placeholder="back-office"
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker labels={sftpScopeLabels(t)} {...form.getInputProps('scopes')} />
          <StorePicker {...form.getInputProps('vendor_ids')} />
          <Switch
            label={t('sftp.generatePassword')}
            description={t('sftp.generatePasswordHelp')}
            {...form.getInputProps('password_login', { type: 'checkbox' })}
          />
          <Textarea
            label={t('sftp.publicKey')}
            description={t('sftp.publicKeyHelp')}
            placeholder={t('sftp.keyPlaceholder')}
            autosize
            minRows={2}
            classNames={{ input: 'mono' }}
            {...form.getInputProps('public_key')}
          />
          <FormButtons submit={t('sftp.create')} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** The only key in the request. */
const keyPointer = 'public_keys/0';
