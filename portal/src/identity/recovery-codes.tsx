import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSession } from '../api/session.tsx';
import { saveFile } from '../kit/save-file.ts';
import { Secret } from '../kit/secret.tsx';

export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { user } = useSession();
  const text = codes.join('\n');
  return (
    <Secret
      title="Recovery codes"
      label="Recovery codes"
      secret={text}
      lost="Each code signs you in once, without your phone. Store the codes where you store your passwords."
      onClose={onClose}
    >
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() =>
          saveFile('aisle-recovery-codes.txt', `Aisle recovery codes for ${user.email}\n\n${text}\n`, 'text/plain')
        }
      >
        Download
      </Button>
    </Secret>
  );
}
