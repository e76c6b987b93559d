import { Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { useChange } from '../api/hooks.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { notifyDone } from '../kit/notify.ts';
import { currentLanguage } from '../messages/language.ts';
import { useMessages } from '../messages/use-messages.ts';
import { NewPasswordFields, newPasswordRules } from './password-fields.tsx';

/** Lets the signed-in user change their password. */
export function ChangePassword() {
  const t = useMessages();
  const form = useForm({
    initialValues: { current_password: '', new_password: '', again: '' },
    validate: {
      current_password: (text) => (text === '' ? currentLanguage().t('password.enterCurrent') : null),
      ...newPasswordRules,
    },
  });
  const change = useChange('changePassword', ['getSession', 'listOwnSessions'], (error) => {
    const errors = fieldErrorsOf(error, ['new_password']);
    if (errors) form.setErrors(errors);
    else notifyFailure(error);
  });
  const submit = form.onSubmit(({ current_password, new_password }) =>
    change.mutate(
      { body: { current_password, new_password } },
      {
        onSuccess: () => {
          form.reset();
          notifyDone(t('password.changed'));
        },
      },
    ),
  );
  return (
    <Card padding="lg">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>{t('password.change')}</Title>
          <Text size="sm" c="dimmed">
            {t('password.signsOut')}
          </Text>
          <PasswordInput
            label={t('password.current')}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <NewPasswordFields form={form} />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {t('password.change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
