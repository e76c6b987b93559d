import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useIsAway } from '../api/reach.ts';

type PageProps = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page: what it is, one sentence about it, what can be done, and the content. */
export function Page({ title, about, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="lg">
      <AwayNotice />
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={2} maw={760} style={{ flex: '1 1 18rem', minWidth: 0 }}>
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

/** What is shown may be old. */
function AwayNotice() {
  if (!useIsAway()) return null;
  return (
    <Group className="away" gap="xs" wrap="nowrap" role="status">
      <IconCloudOff size={18} aria-hidden />
      <Text size="sm">The server cannot be reached: what you see may be old. This page keeps trying.</Text>
    </Group>
  );
}
