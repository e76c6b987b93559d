import { Button, Card, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { NewPasswordFields, newPasswordRules } from '../identity/password-fields.tsx';
import { QrCode } from '../identity/qr-code.tsx';
import { notifyDone } from '../kit/notify.ts';
import { Page } from '../kit/page.tsx';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { useConsoleSession, usePlatform, usePlatformChange } from './api.ts';

/** The user's own password and second factor. */
export function Account() {
  const t = useMessages();
  const { user } = useConsoleSession();
  return (
    <Page title={t('shell.yourAccount')} about={user.email}>
      <Password />
      <SecondFactor />
    </Page>
  );
}

function Password() {
  const t = useMessages();
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: newPasswordRules,
  });
  const change = usePlatformChange('consoleChangePassword', [], (error) => {
    const errors = fieldErrorsOf(error, ['current_password', 'new_password']);
    if (errors) form.setErrors(errors);
    else notifyFailure(error);
  });
  const submit = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(
      { body: { current_password, new_password } },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(t('console.passwordChanged'));
        },
      },
    ),
  );
  return (
    <Card maw={560}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>{t('console.changePassword')}</Title>
          <PasswordInput
            label={t('console.currentPassword')}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <NewPasswordFields form={form} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t('console.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

function SecondFactor() {
  const t = useMessages();
  const { data } = usePlatform('consoleGetSecondFactor', {});
  const [codes, setCodes] = useState<string[]>();
  return (
    <Card maw={560}>
      <Stack>
        <Title order={2}>{t('console.secondFactor')}</Title>
        <Text size="sm" c="dimmed">
          {t('console.secondFactorHelp')}
        </Text>
        {data && (data.is_enabled ? <TurnOff /> : <TurnOn onCodes={setCodes} />)}
        {codes && (
          <Secret
            title={t('console.recoveryCodes')}
            label={t('console.recoveryCodes')}
            secret={codes.join('\n')}
            onClose={() => setCodes(undefined)}
          />
        )}
      </Stack>
    </Card>
  );
}

function TurnOn({ onCodes }: { onCodes(codes: string[]): void }) {
  const t = useMessages();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const start = usePlatformChange('consoleStartSecondFactor');
  const confirm = usePlatformChange('consoleConfirmSecondFactor', ['consoleGetSecondFactor']);
  const secret = start.data;
  const submit = form.onSubmit(({ password, code }) => {
    if (!secret) return start.mutate({ body: { password } });
    return confirm.mutate({ body: { code } }, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        {secret ? (
          <>
            <Text size="sm">{t('console.scan')}</Text>
            <QrCode text={secret.url} label={t('console.scan')} />
            <TextInput label={t('console.secretKey')} value={secret.secret} readOnly classNames={{ input: 'mono' }} />
            <TextInput label={t('signIn.code')} autoComplete="one-time-code" required {...form.getInputProps('code')} />
          </>
        ) : (
          <PasswordInput
            label={t('console.currentPassword')}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
        )}
        <Group>
          <Button type="submit" loading={start.isPending || confirm.isPending}>
            {t('console.turnOn')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TurnOff() {
  const t = useMessages();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const disable = usePlatformChange('consoleDisableSecondFactor', ['consoleGetSecondFactor']);
  return (
    <form onSubmit={form.onSubmit((body) => disable.mutate({ body }))}>
      <Stack>
        <Text size="sm">{t('console.secondFactorOn')}</Text>
        <PasswordInput
          label={t('console.currentPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <TextInput label={t('signIn.code')} autoComplete="one-time-code" required {...form.getInputProps('code')} />
        <Group>
          <Button type="submit" variant="default" loading={disable.isPending}>
            {t('console.turnOff')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
