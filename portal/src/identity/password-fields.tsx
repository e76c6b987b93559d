import { PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { currentLanguage } from '../messages/language.ts';
import { useMessages } from '../messages/use-messages.ts';

export type NewPasswordValues = { new_password: string; again: string };

const minLength = 12;

/** The rules that the browser checks. The server also rejects passwords that are easy to guess. */
export const newPasswordRules = {
  new_password: (text: string) =>
    text.length < minLength ? currentLanguage().t('password.tooShort', { min: minLength }) : null,
  again: (text: string, { new_password }: NewPasswordValues) =>
    text === new_password ? null : currentLanguage().t('password.mismatch'),
};

/** A new password, entered twice. */
export function NewPasswordFields<Values extends NewPasswordValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useMessages();
  return (
    <>
      <PasswordInput
        label={t('password.new')}
        description={t('password.rules', { min: minLength })}
        autoComplete="new-password"
        {...form.getInputProps('new_password')}
      />
      <PasswordInput label={t('password.again')} autoComplete="new-password" {...form.getInputProps('again')} />
    </>
  );
}
