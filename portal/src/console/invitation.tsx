import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { recordSignedIn } from '../api/signed-in.ts';
import { AcceptInvitation } from '../identity/accept-invitation.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { callPlatform, usePlatformChange } from './api.ts';

/** Outside the router, because invited users have no session yet. */
export function Invitation() {
  const t = useMessages();
  useDocumentTitle(`${t('invitation.title')} · ${t('console.title')}`);
  // The form shows the errors.
  const accept = usePlatformChange('consoleAcceptInvitation', [], () => {});
  return (
    <AcceptInvitation
      read={(token) => callPlatform('consoleReadInvitation', { body: { token } })}
      accept={(body, callbacks) => accept.mutate({ body }, callbacks)}
      isPending={accept.isPending}
      onAccepted={() => {
        recordSignedIn(true, 'console');
        location.assign('/console');
      }}
      welcome={({ name }) => t('console.invited', { name })}
      unusable={t('console.invitationUnusable')}
      signInLink={
        <Button component="a" href="/console" variant="default">
          {t('invitation.signIn')}
        </Button>
      }
    />
  );
}
