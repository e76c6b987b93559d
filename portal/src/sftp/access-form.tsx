import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ScopePicker } from '../identity/scope-picker.tsx';
import { StoreList, StorePicker } from '../identity/store-picker.tsx';
import { notifyDone } from '../kit/notify.ts';
import { sftpScopeLabels } from './labels.ts';
import type { SftpUser } from './use-sftp.ts';

/** The scopes and stores of an SFTP user, which owners can change. */
export function AccessForm({ user }: { user: SftpUser }) {
  const may = usePermission();
  const update = useChange('updateSftpUser', ['getSftpUser', 'listSftpUsers']);
  const form = useForm({
    initialValues: { scopes: user.scopes, vendor_ids: user.vendor_ids ?? [] },
    validate: { scopes: (list) => (list.length === 0 ? 'Select at least one' : null) },
  });
  const save = form.onSubmit(({ scopes, vendor_ids }) =>
    update.mutate(
      {
        params: { sftp_user_id: user.sftp_user_id },
        body: { scopes, vendor_ids: vendor_ids.length > 0 ? vendor_ids : null },
      },
      { onSuccess: () => notifyDone(`${user.username} saved.`) },
    ),
  );
  return (
    <section>
      <Title order={3}>Access</Title>
      {may('updateSftpUser') ? (
        <form onSubmit={save}>
          <Stack mt={4}>
            <ScopePicker labels={sftpScopeLabels} {...form.getInputProps('scopes')} />
            <StorePicker {...form.getInputProps('vendor_ids')} />
            <Text size="sm" c="dimmed">
              When you save, open sessions of this user are closed.
            </Text>
            <Group>
              <Button type="submit" size="xs" variant="default" disabled={!form.isDirty()} loading={update.isPending}>
                Save access
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <>
          <Text className="mono">{user.scopes.join(', ')}</Text>
          <Text size="sm">
            Stores: <StoreList value={user.vendor_ids} />
          </Text>
        </>
      )}
    </section>
  );
}
