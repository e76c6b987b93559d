import { Modal, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { FormButtons } from '../kit/form-buttons.tsx';
import { notifyDone } from '../kit/notify.ts';
import { UserStorePicker } from './store-picker.tsx';

type User = ResponseBody<'listUsers'>['users'][number];

/** For owners: the stores that a user is limited to. */
export function UserStores({ user, onClose }: { user: User; onClose(): void }) {
  const update = useChange('updateUser', ['listUsers', 'getSession']);
  const form = useForm({ initialValues: { vendor_ids: user.vendor_ids ?? [] } });
  const save = form.onSubmit(({ vendor_ids }) =>
    update.mutate(
      { params: { user_id: user.user_id }, body: { vendor_ids: vendor_ids.length > 0 ? vendor_ids : null } },
      {
        onSuccess: () => {
          notifyDone(`${user.name} saved.`);
          onClose();
        },
      },
    ),
  );
  return (
    <Modal opened onClose={onClose} title={`Stores of ${user.name}`}>
      <form onSubmit={save} noValidate>
        <Stack>
          <UserStorePicker {...form.getInputProps('vendor_ids')} />
          <FormButtons submit="Save" isPending={update.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
