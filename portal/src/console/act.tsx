import { Alert, Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserShare } from '@tabler/icons-react';
import { useState } from 'react';
import { recordReplaced } from '../api/sign-out.ts';
import { recordSignedIn } from '../api/signed-in.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useAllowed, usePlatformChange } from './api.ts';

/** Opens the portal of the chain, in which the user acts on its behalf. */
export function ActButton({ chainId, chainName }: { chainId: string; chainName: string }) {
  const t = useMessages();
  const isAllowed = useAllowed();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const act = usePlatformChange('consoleActForChain');
  if (!isAllowed('consoleActForChain')) return null;
  const start = () =>
    act.mutate(
      { params: { chain_id: chainId }, body: { reason: reason.trim() } },
      {
        onSuccess: (session) => {
          recordReplaced(session);
          recordSignedIn(true);
          location.assign('/portal');
        },
      },
    );
  return (
    <>
      <Button variant="default" leftSection={<IconUserShare size={16} aria-hidden />} onClick={open}>
        {t('console.act')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('console.actTitle', { chain: chainName })}>
        <Stack>
          <Alert color="yellow">{t('console.actText')}</Alert>
          <TextInput
            label={t('console.actReason')}
            description={t('console.actReasonHelp')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={500}
            data-autofocus
          />
          <Button onClick={start} loading={act.isPending} disabled={reason.trim().length < 3}>
            {t('console.actStart')}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
