import { Button, Group, Modal, Stack } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import { SessionList } from './session-list.tsx';

type User = ResponseBody<'listUsers'>['users'][number];

/** For owners: where a user is signed in. */
export function UserSessions({ user, onClose }: { user: User; onClose(): void }) {
  const t = useMessages();
  const params = { user_id: user.user_id };
  const { data } = useRead('listUserSessions', { params, query: { page_size: 100 } });
  const end = useChange('endUserSession', ['listUserSessions']);
  const endAll = useChange('endUserSessions', ['listUserSessions']);
  return (
    <Modal opened onClose={onClose} title={t('users.sessionsOf', { name: user.name })}>
      <Stack>
        <SessionList
          label={t('users.sessionsOf', { name: user.name })}
          sessions={data?.sessions}
          onEnd={({ session_id }) =>
            end.mutate({ params: { ...params, session_id } }, { onSuccess: () => notifyDone(t('users.sessionEnded')) })
          }
        />
        {data && data.sessions.some((session) => !session.is_current) && (
          <Group justify="flex-end">
            <Button
              color="red.8"
              loading={endAll.isPending}
              onClick={() =>
                endAll.mutate({ params }, { onSuccess: () => notifyDone(t('users.signedOut', { name: user.name })) })
              }
            >
              {t('users.endSessions')}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
