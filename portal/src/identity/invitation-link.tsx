import { formatDateTime } from '../kit/format.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';

/** A new or invited user, of the portal or of the console. */
export type Invited = { name: string; invitation?: { url: string; expires_at: string } | undefined };

/** Shows an invitation link once, to be sent to the user. */
export function InvitationLink({ invited: { name, invitation }, onClose }: { invited: Invited; onClose(): void }) {
  const t = useMessages();
  if (!invitation) return null;
  return (
    <Secret
      title={t('users.linkTitle', { name })}
      label={t('users.link')}
      secret={invitation.url}
      lost={t('users.linkHelp', { time: formatDateTime(invitation.expires_at) })}
      onClose={onClose}
    />
  );
}
