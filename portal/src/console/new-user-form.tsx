import { Button, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { fieldErrorsOf } from '../api/field-errors.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import { useMessages } from '../messages/use-messages.ts';

type Values = { email: string; name: string };

type Props<Given> = {
  title: string;
  help: string;
  form: UseFormReturnType<Given>;
  isPending: boolean;
  onSubmit(values: Given): void;
  /** More fields. */
  children?: ReactNode;
};

/** The form that invites a person, with the name and the email address. */
export function NewUserForm<Given extends Values>({ title, help, form, isPending, onSubmit, children }: Props<Given>) {
  const t = useMessages();
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        <Text size="sm" c="dimmed">
          {help}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }} maw={840}>
          <TextInput type="email" label={t('console.email')} {...form.getInputProps('email')} />
          <TextInput label={t('console.name')} {...form.getInputProps('name')} />
          {children}
        </SimpleGrid>
        <Group>
          <Button type="submit" loading={isPending}>
            {t('console.invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows an error of the server at its field, if it has one. */
export function showErrors<Given extends Values>(form: UseFormReturnType<Given>, error: Error): void {
  const errors = fieldErrorsOf(error, ['email', 'name']);
  if (errors) form.setErrors(errors);
  else notifyFailure(error);
}
