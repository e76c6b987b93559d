import { Alert, Button, Card, Center, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useState } from 'react';
import { useSignIn, wasSignedIn } from '../api/session.tsx';
import { SchemeToggle } from '../kit/scheme-toggle.tsx';

/** Shown at every URL until the user signs in. */
export function SignIn() {
  useDocumentTitle('Sign in · Aisle');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (text) => (text.includes('@') ? null : 'Enter your email'),
      password: (text) => (text === '' ? 'Enter your password' : null),
    },
  });
  const signIn = useSignIn();
  const [hasEnded] = useState(wasSignedIn);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            <img src="/portal/favicon.svg" width={36} height={36} alt="" />
            <div>
              <Title order={1}>Aisle</Title>
              <Text size="sm" c="dimmed">
                Partner portal
              </Text>
            </div>
          </Group>
          <SchemeToggle />
        </Group>
        <Card padding="lg" shadow="xs">
          <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
            <Stack>
              {hasEnded && !signIn.error && (
                <Alert color="gray" role="status">
                  Your session has ended. Sign in to continue where you left off.
                </Alert>
              )}
              {signIn.error && (
                <Alert color="red" role="alert">
                  {signIn.error.message}
                </Alert>
              )}
              <TextInput
                label="Email"
                type="email"
                autoComplete="username"
                autoFocus
                {...form.getInputProps('email')}
                key={form.key('email')}
              />
              <PasswordInput
                label="Password"
                autoComplete="current-password"
                {...form.getInputProps('password')}
                key={form.key('password')}
              />
              <Button type="submit" loading={signIn.isPending} fullWidth>
                Sign in
              </Button>
            </Stack>
          </form>
        </Card>
        <Hint />
      </Stack>
    </Center>
  );
}

function Hint() {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  if (!window.isSecureContext) {
    return <Alert color="yellow">This page was not loaded over HTTPS, so the browser cannot keep you signed in.</Alert>;
  }
  return (
    <Text size="sm" c="dimmed">
      {isHere
        ? 'Trying the demo? The email and password are printed in the terminal that started Aisle and stored in data/demo.json.'
        : "Don't have an account, or forgot your password? Contact an owner of your chain."}
    </Text>
  );
}
