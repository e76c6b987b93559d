import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { sessionKey } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorProof } from './second-factor-proof.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

type Dialog = 'set up' | 'disable' | 'replace codes';

export function SecondFactor() {
  const t = useMessages();
  const client = useQueryClient();
  const { data } = useRead('getSecondFactor', {});
  const [dialog, setDialog] = useState<Dialog>();
  const [codes, setCodes] = useState<string[]>();
  const close = () => setDialog(undefined);
  const showCodes = (shown: string[]) => {
    close();
    setCodes(shown);
  };
  const done = () => {
    setCodes(undefined);
    // Only after the codes are closed, because this removes the page for owners who had to set up a second factor.
    void client.invalidateQueries({ queryKey: sessionKey });
  };
  return (
    <Card padding="lg">
      <Stack>
        <Title order={2}>{t('factor.title')}</Title>
        {data ? (
          <Text size="sm" c="dimmed">
            {data.enabled_at
              ? t('factor.on', { time: formatDateTime(data.enabled_at), count: data.recovery_codes_left })
              : t('factor.off')}
            {data.is_required && ` ${t('factor.requiredForOwners')}`}
          </Text>
        ) : (
          <Skeleton height={20} />
        )}
        {data && (
          <Group justify="flex-end">
            {data.is_enabled ? (
              <>
                <Button variant="default" onClick={() => setDialog('replace codes')}>
                  {t('factor.newCodes')}
                </Button>
                <Button variant="default" onClick={() => setDialog('disable')}>
                  {t('factor.turnOff')}
                </Button>
              </>
            ) : (
              <Button onClick={() => setDialog('set up')}>{t('factor.setUp')}</Button>
            )}
          </Group>
        )}
      </Stack>
      {dialog === 'set up' && <SetUpSecondFactor onClose={close} onDone={showCodes} />}
      {dialog === 'disable' && <SecondFactorProof purpose="disable" onClose={close} onDone={close} />}
      {dialog === 'replace codes' && <SecondFactorProof purpose="replace codes" onClose={close} onDone={showCodes} />}
      {codes && <RecoveryCodes codes={codes} onClose={done} />}
    </Card>
  );
}
