import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useIsOffline } from '../api/reach.ts';
import { useMessages } from '../messages/use-messages.ts';

type PageProps = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A page with its title, description, actions and content. */
export function Page({ title, about, actions, children }: PageProps) {
  useDocumentTitle(`${title} · Aisle`);
  return (
    <Stack gap="lg">
      <OfflineNotice />
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={2} maw={760} style={{ flex: '1 1 18rem', minWidth: 0 }}>
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {about && (
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          )}
        </Stack>
        {actions && (
          <Group gap="xs" maw="100%">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** Warns that the data may be outdated. */
function OfflineNotice() {
  const t = useMessages();
  if (!useIsOffline()) return null;
  return (
    <Group className="offline" gap="xs" wrap="nowrap" role="status">
      <IconCloudOff size={18} aria-hidden />
      <Text size="sm">{t('kit.offline')}</Text>
    </Group>
  );
}
