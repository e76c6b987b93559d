import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { currentLanguage } from '../messages/language.ts';

/** Runs the action; `onSuccess` is called when it is done. */
type Run = (callbacks: { onSuccess(): void }) => void;

/** Asks before a user, of the portal or of the console, loses the second factor. */
export function askResetFactor(name: string, reset: Run): void {
  const { t } = currentLanguage();
  confirm({
    title: t('users.resetFactorTitle', { name }),
    text: t('users.resetFactorText'),
    action: t('users.resetFactor'),
    onConfirm: () => reset({ onSuccess: () => notifyDone(t('users.factorOff', { name })) }),
  });
}

/** Asks before a user is deleted. */
export function askDeleteUser(name: string, remove: Run): void {
  const { t } = currentLanguage();
  confirm({
    title: t('users.deleteTitle', { name }),
    text: t('users.deleteText'),
    action: t('users.delete'),
    onConfirm: () => remove({ onSuccess: () => notifyDone(t('users.deleted', { name })) }),
  });
}

/** The rules for a new user that the browser checks. */
export const newUserRules = {
  name: (text: string) => (text.trim() === '' ? currentLanguage().t('users.enterName') : null),
  email: (text: string) => (/^\S+@\S+$/.test(text) ? null : currentLanguage().t('users.enterEmail')),
};
