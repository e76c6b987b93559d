import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { Dialog } from '../kit/dialog.tsx';
import { editedValues } from '../kit/edited-values.ts';
import { FormButtons } from '../kit/form-buttons.tsx';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import { StorePicker } from './store-picker.tsx';

type User = ResponseBody<'listUsers'>['users'][number];

/** For owners: the stores that a user is limited to. */
export function UserStores({ user, onClose }: { user: User; onClose(): void }) {
  const t = useMessages();
  const update = useChange('updateUser', ['listUsers', 'getSession']);
  const form = useForm({ initialValues: { vendor_ids: user.vendor_ids ?? [] } });
  const save = form.onSubmit(() => {
    const { vendor_ids: stores } = editedValues(form);
    update.mutate(
      { params: { user_id: user.user_id }, body: stores ? { vendor_ids: stores.length > 0 ? stores : null } : {} },
      {
        onSuccess: () => {
          notifyDone(t('users.saved', { name: user.name }));
          onClose();
        },
      },
    );
  });
  return (
    <Dialog isPending={update.isPending} onClose={onClose} title={t('users.storesOf', { name: user.name })}>
      <form onSubmit={save} noValidate>
        <Stack>
          <StorePicker description={t('users.storesHint')} {...form.getInputProps('vendor_ids')} />
          <FormButtons submit={t('users.save')} isPending={update.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
