import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';

/** Shown instead of an empty list. Gives the reason and the next step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} ta="center">
          {title}
        </Title>
        <Text size="sm" c="dimmed" ta="center" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  );
}

/** Shown if the filters match nothing. */
export function NoResults({ children, onClear }: { children: ReactNode; onClear(): void }) {
  const t = useMessages();
  const action = (
    <Button variant="default" onClick={onClear}>
      {t('kit.clearFilters')}
    </Button>
  );
  return (
    <EmptyState title={t('kit.noResults')} action={action}>
      {children}
    </EmptyState>
  );
}
