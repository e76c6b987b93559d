import { Alert, Button, Center, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSignOut } from '../api/session.tsx';
import { useMessages } from '../messages/use-messages.ts';

/** Shown at every URL instead of the portal, until the user has done what is required. */
export function Requirement({ title, reason, children }: { title: string; reason: string; children: ReactNode }) {
  const t = useMessages();
  const signOut = useSignOut();
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={480}>
        <Title order={1}>{title}</Title>
        <Alert color="yellow">{reason}</Alert>
        {children}
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => void signOut()}>
            {t('shell.signOut')}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
