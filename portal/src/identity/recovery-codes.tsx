import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSession } from '../api/session.tsx';
import { saveFile } from '../kit/save-file.ts';
import { Secret } from '../kit/secret.tsx';
import { useMessages } from '../messages/use-messages.ts';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useMessages();
  const { user } = useSession();
  const text = codes.join('\n');
  return (
    <Secret
      title={t('factor.codes')}
      label={t('factor.codes')}
      secret={text}
      lost={t('factor.codesHelp')}
      onClose={onClose}
    >
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() =>
          saveFile(
            'aisle-recovery-codes.txt',
            `${t('factor.codesFile', { email: user.email })}\n\n${text}\n`,
            'text/plain',
          )
        }
      >
        {t('factor.download')}
      </Button>
    </Secret>
  );
}
