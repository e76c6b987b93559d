import { Alert, Button, Center, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { Copyable } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { QrCode } from './qr-code.tsx';

type SetUpProps = { onClose(): void; onDone(recoveryCodes: string[]): void };
type Started = ResponseBody<'startSecondFactor'>;

/** Asks for the password, shows the secret, and turns on the second factor once a code is confirmed. */
export function SetUpSecondFactor({ onClose, onDone }: SetUpProps) {
  const t = useMessages();
  const [started, setStarted] = useState<Started>();
  const confirm = useChange('confirmSecondFactor', ['getSecondFactor', 'listOwnSessions', 'listUsers']);
  return (
    <Dialog isPending={confirm.isPending} onClose={onClose} title={t('factor.setUpTitle')} closeOnClickOutside={false}>
      {started ? <FirstCode started={started} confirm={confirm} onDone={onDone} /> : <Start onStarted={setStarted} />}
    </Dialog>
  );
}

function Start({ onStarted }: { onStarted(started: Started): void }) {
  const t = useMessages();
  const start = useChange('startSecondFactor');
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (text) => (text === '' ? t('account.enterPassword') : null) },
  });
  return (
    <form onSubmit={form.onSubmit((body) => start.mutate({ body }, { onSuccess: onStarted }))}>
      <Stack>
        <Text size="sm">{t('factor.needApp')}</Text>
        <PasswordInput
          label={t('factor.yourPassword')}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={start.isPending}>
            {t('factor.continue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type FirstCodeProps = Pick<SetUpProps, 'onDone'> & {
  started: Started;
  confirm: ReturnType<typeof useChange<'confirmSecondFactor'>>;
};

function FirstCode({ started, confirm, onDone }: FirstCodeProps) {
  const t = useMessages();
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (text) => (/^\s*(\d\s*){6}$/.test(text) ? null : t('factor.enterShown')) },
  });
  const submit = form.onSubmit((body) =>
    confirm.mutate({ body }, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('factor.scan')}</Text>
        <Center>
          <QrCode text={started.url} label={t('factor.qr')} />
        </Center>
        <Copyable value={started.secret} label={t('factor.copySecret')} isWhole />
        <TextInput
          label={t('factor.code')}
          description={t('factor.shown')}
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          {...form.getInputProps('code')}
        />
        <Alert color="gray">{t('factor.othersEnd')}</Alert>
        <Group justify="flex-end">
          <Button type="submit" loading={confirm.isPending}>
            {t('factor.turnOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
