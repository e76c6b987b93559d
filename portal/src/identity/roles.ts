import { type Role, roles } from '@aisle/contract/route';
import { useMessages } from '../messages/use-messages.ts';

/** The roles, starting with the one that has the most permissions. */
export const roleChoices = roles.toReversed();

export function useRoleLabels(): Record<Role, { title: string; about: string }> {
  const t = useMessages();
  return {
    OWNER: { title: t('code.OWNER'), about: t('users.role.owner') },
    MANAGER: { title: t('code.MANAGER'), about: t('users.role.manager') },
    VIEWER: { title: t('code.VIEWER'), about: t('users.role.viewer') },
    PICKER: { title: t('code.PICKER'), about: t('users.role.picker') },
  };
}
