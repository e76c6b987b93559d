import { Button, Group, Modal, Stack } from '@mantine/core';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { notifyDone } from '../kit/notify.ts';
import { SessionList } from './session-list.tsx';

type User = ResponseBody<'listUsers'>['users'][number];

/** For owners: where a user is signed in. */
export function UserSessions({ user, onClose }: { user: User; onClose(): void }) {
  const params = { user_id: user.user_id };
  const { data } = useRead('listUserSessions', { params, query: { page_size: 100 } });
  const end = useChange('endUserSession', ['listUserSessions']);
  const endAll = useChange('endUserSessions', ['listUserSessions']);
  return (
    <Modal opened onClose={onClose} title={`Sessions of ${user.name}`}>
      <Stack>
        <SessionList
          label={`Sessions of ${user.name}`}
          sessions={data?.sessions}
          onEnd={({ session_id }) =>
            end.mutate({ params: { ...params, session_id } }, { onSuccess: () => notifyDone('Session ended.') })
          }
        />
        {data && data.sessions.some((session) => !session.is_current) && (
          <Group justify="flex-end">
            <Button
              color="red.8"
              loading={endAll.isPending}
              onClick={() =>
                endAll.mutate({ params }, { onSuccess: () => notifyDone(`${user.name} is signed out everywhere.`) })
              }
            >
              End all sessions
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
