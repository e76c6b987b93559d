import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { Dialog } from '../kit/dialog.tsx';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';

type ProofProps = { purpose: 'disable' | 'replace codes'; onClose(): void; onDone(recoveryCodes: string[]): void };

const texts = {
  disable: {
    title: 'factor.turnOffAsk',
    about: 'factor.turnOffAbout',
    action: 'factor.turnOff',
  },
  'replace codes': {
    title: 'factor.replaceAsk',
    about: 'factor.replaceAbout',
    action: 'factor.replace',
  },
} as const;

/** Asks for the password and a code before the second factor is changed. */
export function SecondFactorProof({ purpose, onClose, onDone }: ProofProps) {
  const t = useMessages();
  const { title, about, action } = texts[purpose];
  const disable = useChange('disableSecondFactor', ['getSecondFactor', 'listOwnSessions', 'listUsers', 'getSession']);
  const replace = useChange('replaceRecoveryCodes', ['getSecondFactor']);
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (text) => (text === '' ? t('account.enterPassword') : null),
      code: (text) => (text.trim() === '' ? t('factor.enterCode') : null),
    },
  });
  const submit = form.onSubmit((body) => {
    if (purpose === 'replace codes') {
      replace.mutate({ body }, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) });
      return;
    }
    const onSuccess = () => {
      notifyDone(t('factor.isOff'));
      onDone([]);
    };
    disable.mutate({ body }, { onSuccess });
  });
  return (
    <Dialog isPending={disable.isPending || replace.isPending} onClose={onClose} title={t(title)}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t(about)}</Text>
          <PasswordInput
            label={t('factor.yourPassword')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <TextInput
            label={t('factor.code')}
            description={t('factor.codeHelp')}
            autoComplete="one-time-code"
            {...form.getInputProps('code')}
          />
          <Group justify="flex-end">
            <Button type="submit" color="red.8" loading={disable.isPending || replace.isPending}>
              {t(action)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
