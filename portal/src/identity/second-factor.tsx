import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { sessionKey } from '../api/session.tsx';
import { formatDateTime } from '../kit/format.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorProof } from './second-factor-proof.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

type Dialog = 'set up' | 'disable' | 'replace codes';

export function SecondFactor() {
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
        <Title order={2}>Second factor</Title>
        {data ? (
          <Text size="sm" c="dimmed">
            {data.enabled_at
              ? `On since ${formatDateTime(data.enabled_at)}. Recovery codes left: ${data.recovery_codes_left}.`
              : 'Off. With a second factor, your password alone is not enough to sign in: you also enter a code from an authenticator app on your phone.'}
            {data.is_required && ' Your chain requires it for owners.'}
          </Text>
        ) : (
          <Skeleton height={20} />
        )}
        {data && (
          <Group justify="flex-end">
            {data.is_enabled ? (
              <>
                <Button variant="default" onClick={() => setDialog('replace codes')}>
                  New recovery codes
                </Button>
                <Button variant="default" onClick={() => setDialog('disable')}>
                  Turn off
                </Button>
              </>
            ) : (
              <Button onClick={() => setDialog('set up')}>Set up</Button>
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
