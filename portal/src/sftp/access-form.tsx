import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { ScopePicker } from '../identity/scope-picker.tsx';
import { StoreList, StorePicker } from '../identity/store-picker.tsx';
import { editedValues } from '../kit/edited-values.ts';
import { notifyDone } from '../kit/notify.ts';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { sftpScopeLabels } from './labels.ts';
import type { SftpUser } from './use-sftp.ts';

/** The scopes and stores of an SFTP user, which owners can change. */
export function AccessForm({ user }: { user: SftpUser }) {
  const t = useMessages();
  const may = usePermission();
  const update = useChange('updateSftpUser', ['getSftpUser', 'listSftpUsers']);
  const form = useForm({
    initialValues: { scopes: user.scopes, vendor_ids: user.vendor_ids ?? [] },
    validate: { scopes: (list) => (list.length === 0 ? t('sftp.selectOne') : null) },
  });
  const save = form.onSubmit(() => {
    const { vendor_ids: stores, ...edited } = editedValues(form);
    update.mutate(
      {
        params: { sftp_user_id: user.sftp_user_id },
        body: { ...edited, ...(stores && { vendor_ids: stores.length > 0 ? stores : null }) },
      },
      {
        onSuccess: () => {
          form.resetDirty();
          notifyDone(t('sftp.saved', { username: user.username }));
        },
      },
    );
  });
  return (
    <section>
      <Title order={3}>{t('sftp.access')}</Title>
      {may('updateSftpUser') ? (
        <form onSubmit={save}>
          <Stack mt={4}>
            <ScopePicker labels={sftpScopeLabels(t)} {...form.getInputProps('scopes')} />
            <StorePicker {...form.getInputProps('vendor_ids')} />
            <Text size="sm" c="dimmed">
              {t('sftp.accessHelp')}
            </Text>
            <Group>
              <Button type="submit" size="xs" variant="default" disabled={!form.isDirty()} loading={update.isPending}>
                {t('sftp.saveAccess')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <>
          <Text className="mono">{user.scopes.join(', ')}</Text>
          <Text size="sm">
            <Rich message="sftp.storesAre" values={{ stores: <StoreList value={user.vendor_ids} /> }} />
          </Text>
        </>
      )}
    </section>
  );
}
