import { Alert, Button, Center, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useSignOut } from '../api/session.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Shown at every URL to an owner whose chain requires a second factor, until it is set up. */
export function SecondFactorRequired() {
  useDocumentTitle('Set up a second factor · Aisle');
  const signOut = useSignOut();
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={480}>
        <Title order={1}>Set up a second factor</Title>
        <Alert color="yellow">Your chain requires owners to have a second factor. Set it up to continue.</Alert>
        <SecondFactor />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => void signOut()}>
            Sign out
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
