import type { ResponseBody } from '../api/operations.ts';
import { formatDateTime } from '../kit/format.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';

type Invited = Pick<ResponseBody<'createUser'>, 'name' | 'invitation'>;

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
