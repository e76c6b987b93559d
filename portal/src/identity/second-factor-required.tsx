import { Alert, Button, Center, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useSignOut } from '../api/session.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { SecondFactor } from './second-factor.tsx';

/** Shown at every URL to an owner whose chain requires a second factor, until it is set up. */
export function SecondFactorRequired() {
  const t = useMessages();
  useDocumentTitle(`${t('factor.setUpTitle')} · Aisle`);
  const signOut = useSignOut();
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={480}>
        <Title order={1}>{t('factor.setUpTitle')}</Title>
        <Alert color="yellow">{t('factor.required')}</Alert>
        <SecondFactor />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => void signOut()}>
            {t('shell.signOut')}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
