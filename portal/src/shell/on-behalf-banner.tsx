import { Alert, Button, Group, Text } from '@mantine/core';
import { IconUserShare } from '@tabler/icons-react';
import { useSession, useSignOut } from '../api/session.tsx';
import { useMessages } from '../messages/use-messages.ts';

/** Shown on every page to one of the operator's users who acts on behalf of the chain. */
export function OnBehalfBanner() {
  const t = useMessages();
  const { user, chain } = useSession();
  const signOut = useSignOut();
  const leave = () => void signOut().then(() => location.assign('/console'));
  return (
    <Alert color="orange" icon={<IconUserShare size={20} aria-hidden />} mb="lg" role="status">
      <Group justify="space-between">
        <Text size="sm">{t('shell.onBehalf', { name: user.name, chain: chain.name })}</Text>
        <Button size="xs" variant="default" onClick={leave}>
          {t('shell.leave')}
        </Button>
      </Group>
    </Alert>
  );
}
