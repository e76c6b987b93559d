import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

type PageProps = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page: what it is, one sentence about it, what can be done, and the content. */
export function Page({ title, about, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={2} maw={760}>
          <Title order={1}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
