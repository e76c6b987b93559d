import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { NavigationItem } from '../kit/navigation-frame.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { navigation } from './navigation.ts';

export function Navigation({ onChosen }: { onChosen: () => void }) {
  const t = useMessages();
  const { user } = useSession();
  const isHidden = (link: object) => user.vendor_ids !== null && 'needsAllStores' in link;
  return (
    <Stack gap="lg">
      {navigation.map(({ group, links }) => (
        <Stack key={group ?? 'top'} gap={2}>
          {group && (
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={2}>
              {t(group)}
            </Text>
          )}
          {links
            .filter((link) => !isHidden(link))
            .map(({ to, label, icon }) => (
              <NavigationItem
                key={to}
                label={t(label)}
                icon={icon}
                onChosen={onChosen}
                link={(props) => (
                  <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} {...props} />
                )}
              />
            ))}
        </Stack>
      ))}
    </Stack>
  );
}
