import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconBuildingStore,
  IconDeviceMobileOff,
  IconDevices,
  IconDots,
  IconKey,
  IconLink,
  IconLinkOff,
  IconTrash,
} from '@tabler/icons-react';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useSession } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { InvitationLink } from './invitation-link.tsx';
import { askDeleteUser, askResetFactor } from './user-rules.ts';
import { UserSessions } from './user-sessions.tsx';
import { UserStores } from './user-stores.tsx';

export type User = ResponseBody<'listUsers'>['users'][number];

/** The menu of a user in the list. */
export function UserActions({ user }: { user: User }) {
  const t = useMessages();
  const { user: me } = useSession();
  const [isShowingSessions, sessions] = useDisclosure(false);
  const [isShowingStores, stores] = useDisclosure(false);
  const actions = useUserActions(user);
  const isOther = user.user_id !== me.user_id;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('users.actionsFor', { name: user.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLink size={16} />} onClick={actions.invite}>
            {t(user.last_sign_in_at === null ? 'users.newInvitation' : 'users.passwordLink')}
          </Menu.Item>
          {user.invitation_expires_at !== null && (
            <Menu.Item leftSection={<IconLinkOff size={16} />} onClick={actions.revoke}>
              {t('users.revokeInvitation')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconKey size={16} />} onClick={actions.askReset}>
            {t('users.resetPassword')}
          </Menu.Item>
          <Menu.Item leftSection={<IconBuildingStore size={16} />} onClick={stores.open}>
            {t('users.stores')}
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} />} onClick={sessions.open}>
            {t('users.sessions')}
          </Menu.Item>
          {user.has_second_factor && isOther && (
            <Menu.Item leftSection={<IconDeviceMobileOff size={16} />} onClick={actions.askResetFactor}>
              {t('users.resetFactor')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={16} />} onClick={actions.askDelete}>
            {t('users.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isShowingStores && <UserStores user={user} onClose={stores.close} />}
      {isShowingSessions && <UserSessions user={user} onClose={sessions.close} />}
      {actions.shown}
    </>
  );
}

function useUserActions(user: User) {
  const t = useMessages();
  const input = { params: { user_id: user.user_id } };
  const { name } = user;
  const invite = useChange('inviteUser', ['listUsers']);
  const revoke = useChange('revokeInvitation', ['listUsers']);
  const resetFactor = useChange('resetSecondFactor', ['listUsers']);
  const remove = useChange('deleteUser', ['listUsers']);
  const reset = useChange('resetPassword');
  const { password } = reset.data ?? {};
  return {
    invite: () => invite.mutate(input),
    revoke: () => revoke.mutate(input, { onSuccess: () => notifyDone(t('users.revoked', { name })) }),
    askReset: () =>
      confirm({
        title: t('users.resetTitle', { name }),
        text: t('users.resetText'),
        action: t('users.resetPassword'),
        onConfirm: () => reset.mutate(input),
      }),
    askResetFactor: () => askResetFactor(name, (callbacks) => resetFactor.mutate(input, callbacks)),
    askDelete: () => askDeleteUser(name, (callbacks) => remove.mutate(input, callbacks)),
    shown: (
      <>
        {invite.data && <InvitationLink invited={invite.data} onClose={invite.reset} />}
        {password !== undefined && (
          <Secret
            title={t('users.newPasswordFor', { name })}
            label={t('users.password')}
            secret={password}
            onClose={reset.reset}
          />
        )}
      </>
    ),
  };
}
