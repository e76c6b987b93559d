import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { UploadedFile } from './labels.ts';

/** Downloads the rows that failed, with their reasons, to be corrected and uploaded again. */
export function FailedRowsButton({ file }: { file: UploadedFile }) {
  const t = useMessages();
  const url = useFailedRowsUrl(file);
  if (!url) return null;
  return (
    <Button component="a" href={url} download leftSection={<IconDownload size={16} />}>
      {t('files.download')}
    </Button>
  );
}

/** The same button as an icon. `size` is its width and height. */
export function FailedRowsIcon({ file, size = 28 }: { file: UploadedFile; size?: number }) {
  const t = useMessages();
  const url = useFailedRowsUrl(file);
  if (!url) return null;
  return (
    <Tooltip label={t('files.download')}>
      <ActionIcon
        component="a"
        href={url}
        download
        variant="subtle"
        color="gray"
        size={size}
        aria-label={t('files.downloadOf', { name: file.name })}
      >
        <IconDownload size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function useFailedRowsUrl(file: UploadedFile): string | undefined {
  const { chain } = useSession();
  // If the file could not be read, its only failed row is the reason, which is shown on the page.
  if (!file.failed_rows_url || file.jobs.every(({ failed }) => failed === 0)) return undefined;
  return urlOf('downloadFailedRows', { chain_id: chain.chain_id, file_id: file.file_id });
}
