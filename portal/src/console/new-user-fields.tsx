import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { useMessages } from '../messages/use-messages.ts';

type Values = { email: string; name: string };

export function NameAndEmail<Given extends Values>({ form }: { form: UseFormReturnType<Given> }) {
  const t = useMessages();
  return (
    <>
      <TextInput type="email" label={t('console.email')} {...form.getInputProps('email')} />
      <TextInput label={t('console.name')} {...form.getInputProps('name')} />
    </>
  );
}

/** Shows an error of the server at its field, if it has one. */
export function showErrors<Given extends Values>(form: UseFormReturnType<Given>, error: Error): void {
  const errors = fieldErrorsOf(error, ['email', 'name']);
  if (errors) form.setErrors(errors);
  else notifyFailure(error);
}
