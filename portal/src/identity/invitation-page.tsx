import { useDocumentTitle } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/call.ts';
import { useAcceptInvitation } from '../api/session.tsx';
import { ButtonLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { AcceptInvitation } from './accept-invitation.tsx';

export function InvitationPage() {
  const t = useMessages();
  useDocumentTitle(`${t('invitation.title')} · Aisle`);
  const navigate = useNavigate();
  const accept = useAcceptInvitation();
  return (
    <AcceptInvitation
      read={(token) => call('', 'readInvitation', { body: { token } })}
      accept={accept.mutate}
      isPending={accept.isPending}
      onAccepted={() => void navigate({ to: '/', replace: true })}
      welcome={({ name, chain_name: chain }) => t('invitation.welcome', { name, chain })}
      unusable={t('invitation.unusable')}
      signInLink={
        <ButtonLink to="/" variant="default">
          {t('invitation.signIn')}
        </ButtonLink>
      }
    />
  );
}
