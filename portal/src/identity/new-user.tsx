import { Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role } from '@aisle/contract/route';
import { useChange } from '../api/hooks.ts';
import { FormButtons } from '../kit/form-buttons.tsx';
import { Secret } from '../kit/secret.tsx';
import { UserStorePicker } from './store-picker.tsx';
import { roleChoices, roleLabels } from './roles.ts';

export function NewUser({ onClose }: { onClose(): void }) {
  const create = useChange('createUser', ['listUsers']);
  const form = useForm({
    initialValues: { name: '', email: '', role: 'MANAGER' as Role, vendor_ids: [] as string[] },
    validate: {
      name: (text) => (text.trim() === '' ? 'Enter a name' : null),
      email: (text) => (/^\S+@\S+$/.test(text) ? null : 'Enter an email address'),
    },
  });
  const submit = form.onSubmit(({ vendor_ids, ...body }) =>
    create.mutate({ body: { ...body, ...(vendor_ids.length > 0 && { vendor_ids }) } }),
  );
  if (create.data) {
    const { name, password = '' } = create.data;
    return <Secret title={`${name} can now sign in`} label="Initial password" secret={password} onClose={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title="New user">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
          <TextInput label="Email" type="email" {...form.getInputProps('email')} />
          <Radio.Group label="Role" {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              {roleChoices.map((role) => (
                <Radio key={role} value={role} label={roleLabels[role].title} description={roleLabels[role].about} />
              ))}
            </Stack>
          </Radio.Group>
          <UserStorePicker {...form.getInputProps('vendor_ids')} />
          <FormButtons submit="Create" isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
