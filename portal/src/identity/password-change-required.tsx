import { Alert, Button, Center, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useSignOut } from '../api/session.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ChangePassword } from './change-password.tsx';

/** Shown at every URL to a user whose password was set by another person, until it is changed. */
export function PasswordChangeRequired() {
  const t = useMessages();
  const signOut = useSignOut();
  useDocumentTitle(`${t('password.requiredTitle')} · Aisle`);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={480}>
        <Title order={1}>{t('password.requiredTitle')}</Title>
        <Alert color="yellow">{t('password.required')}</Alert>
        <ChangePassword />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => void signOut()}>
            {t('shell.signOut')}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
