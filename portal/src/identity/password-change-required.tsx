import { useMessages } from '../messages/use-messages.ts';
import { ChangePassword } from './change-password.tsx';
import { Requirement } from './requirement.tsx';

/** For a user whose password was set by another person. */
export function PasswordChangeRequired() {
  const t = useMessages();
  return (
    <Requirement title={t('password.requiredTitle')} reason={t('password.required')}>
      <ChangePassword />
    </Requirement>
  );
}
