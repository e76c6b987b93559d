import { Alert, Button, Center, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { Copyable } from '../kit/copy.tsx';
import { QrCode } from './qr-code.tsx';

type SetUpProps = { onClose(): void; onDone(recoveryCodes: string[]): void };
type Started = ResponseBody<'startSecondFactor'>;

/** Asks for the password, shows the secret, and turns on the second factor once a code is confirmed. */
export function SetUpSecondFactor({ onClose, onDone }: SetUpProps) {
  const [started, setStarted] = useState<Started>();
  return (
    <Modal opened onClose={onClose} title="Set up a second factor" closeOnClickOutside={false}>
      {started ? <FirstCode started={started} onDone={onDone} /> : <Start onStarted={setStarted} />}
    </Modal>
  );
}

function Start({ onStarted }: { onStarted(started: Started): void }) {
  const start = useChange('startSecondFactor');
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (text) => (text === '' ? 'Enter your password' : null) },
  });
  return (
    <form onSubmit={form.onSubmit((body) => start.mutate({ body }, { onSuccess: onStarted }))}>
      <Stack>
        <Text size="sm">
          You need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or a
          password manager.
        </Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={start.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function FirstCode({ started, onDone }: { started: Started; onDone: SetUpProps['onDone'] }) {
  const confirm = useChange('confirmSecondFactor', ['getSecondFactor', 'listOwnSessions', 'listUsers']);
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (text) => (/^\s*(\d\s*){6}$/.test(text) ? null : 'Enter the six-digit code shown in the app') },
  });
  const submit = form.onSubmit((body) =>
    confirm.mutate({ body }, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Scan this QR code with the app, or type the secret into it.</Text>
        <Center>
          <QrCode text={started.url} label="QR code for the authenticator app" />
        </Center>
        <Copyable value={started.secret} label="Copy the secret" />
        <TextInput
          label="Code"
          description="The six-digit code shown in the app."
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          {...form.getInputProps('code')}
        />
        <Alert color="gray">Your other sessions end when you turn the second factor on.</Alert>
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            Turn on
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
