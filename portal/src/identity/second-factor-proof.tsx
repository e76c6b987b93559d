import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../api/hooks.ts';
import { notifyDone } from '../kit/notify.ts';

type ProofProps = { purpose: 'disable' | 'replace codes'; onClose(): void; onDone(recoveryCodes: string[]): void };

const texts = {
  disable: {
    title: 'Turn off the second factor?',
    about: 'Your password alone will be enough to sign in. Your other sessions end.',
    action: 'Turn off',
  },
  'replace codes': {
    title: 'Replace the recovery codes?',
    about: 'You get ten new codes. The old ones stop working.',
    action: 'Replace',
  },
};

/** Asks for the password and a code before the second factor is changed. */
export function SecondFactorProof({ purpose, onClose, onDone }: ProofProps) {
  const { title, about, action } = texts[purpose];
  const disable = useChange('disableSecondFactor', ['getSecondFactor', 'listOwnSessions', 'listUsers', 'getSession']);
  const replace = useChange('replaceRecoveryCodes', ['getSecondFactor']);
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (text) => (text === '' ? 'Enter your password' : null),
      code: (text) => (text.trim() === '' ? 'Enter a code' : null),
    },
  });
  const submit = form.onSubmit((body) => {
    if (purpose === 'replace codes') {
      replace.mutate({ body }, { onSuccess: ({ recovery_codes }) => onDone(recovery_codes) });
      return;
    }
    const onSuccess = () => {
      notifyDone('The second factor is off.');
      onDone([]);
    };
    disable.mutate({ body }, { onSuccess });
  });
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{about}</Text>
          <PasswordInput
            label="Your password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <TextInput
            label="Code"
            description="From the authenticator app, or a recovery code."
            autoComplete="one-time-code"
            {...form.getInputProps('code')}
          />
          <Group justify="flex-end">
            <Button type="submit" color="red.8" loading={disable.isPending || replace.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
