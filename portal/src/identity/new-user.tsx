import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '@aisle/contract/route';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../kit/dialog.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { InvitationLink } from './invitation-link.tsx';
import { roleChoices, useRoleLabels } from './roles.ts';
import { StorePicker } from './store-picker.tsx';
import { newUserRules } from './user-rules.ts';

/** Creates a user with an invitation link. The user sets the password. */
export function NewUser({ onClose }: { onClose(): void }) {
  const t = useMessages();
  const labels = useRoleLabels();
  const create = useChange('createUser', ['listUsers']);
  const form = useForm({
    initialValues: { name: '', email: '', role: 'MANAGER' as Role, vendor_ids: [] as string[] },
    validate: newUserRules,
  });
  const submit = form.onSubmit(({ vendor_ids, ...body }) =>
    create.mutate({ body: { ...body, invite: true, ...(vendor_ids.length > 0 && { vendor_ids }) } }),
  );
  if (create.data) return <InvitationLink invited={create.data} onClose={onClose} />;
  return (
    <Dialog isPending={create.isPending} onClose={onClose} title={t('users.newUser')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('users.inviteHelp')}
          </Text>
          <TextInput label={t('users.name')} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={t('users.email')} type="email" {...form.getInputProps('email')} />
          <Radio.Group label={t('users.role')} {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              {roleChoices.map((role) => (
                <Radio key={role} value={role} label={labels[role].title} description={labels[role].about} />
              ))}
            </Stack>
          </Radio.Group>
          <StorePicker description={t('users.storesHint')} {...form.getInputProps('vendor_ids')} />
          <FormButtons submit={t('users.createInvitation')} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
