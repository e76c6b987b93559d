import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import type { UploadedFile } from './labels.ts';

/** Downloads the rows that failed, with their reasons, to be corrected and uploaded again. */
export function FailedRowsButton({ file }: { file: UploadedFile }) {
  const url = useFailedRowsUrl(file);
  if (!url) return null;
  return (
    <Button component="a" href={url} download leftSection={<IconDownload size={16} />}>
      Download failed rows
    </Button>
  );
}

/** The same button as an icon, for a table cell. */
export function FailedRowsIcon({ file }: { file: UploadedFile }) {
  const url = useFailedRowsUrl(file);
  if (!url) return null;
  return (
    <Tooltip label="Download failed rows">
      <ActionIcon
        component="a"
        href={url}
        download
        variant="subtle"
        color="gray"
        aria-label={`Download failed rows of ${file.name}`}
      >
        <IconDownload size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

function useFailedRowsUrl(file: UploadedFile): string | undefined {
  const { chain } = useSession();
  if (!file.failed_rows_url) return undefined;
  return urlOf('downloadFailedRows', { chain_id: chain.chain_id, file_id: file.file_id });
}
