import { writeCsv } from '@aisle/contract/csv';
import type { LogRow } from '@aisle/contract/jobs';
import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Static } from 'typebox';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { JobSummary } from '../jobs/job-summary.tsx';
import { useJob } from '../jobs/use-job.ts';
import { saveFile } from '../kit/save-file.ts';
import { notifyFailure } from '../api/notify-failure.ts';
import type { Upload } from './read-upload.ts';

type UploadResultProps = { jobId: string; upload: Upload; onAgain(): void };

/** Shows the job's progress, then offers the failed rows as a file to fix and upload again. */
export function UploadResult({ jobId, upload, onAgain }: UploadResultProps) {
  const job = useJob(jobId);
  const save = useFailedRows(jobId, upload);
  return (
    <Stack>
      <JobSummary jobId={jobId} />
      <Group>
        {job && job.progress.failed > 0 && (
          <Button leftSection={<IconDownload size={16} />} onClick={() => save.mutate()} loading={save.isPending}>
            Download failed rows
          </Button>
        )}
        <Button variant="default" onClick={onAgain}>
          Upload another file
        </Button>
        <Button variant="default" component={Link} to="/catalog">
          View catalog
        </Button>
      </Group>
    </Stack>
  );
}

/** Saves the failed rows as a file, with the reason in an extra column. */
function useFailedRows(jobId: string, { columns, rows }: Upload) {
  const { chain } = useSession();
  return useMutation({
    mutationFn: async () => {
      const url = urlOf('downloadCatalogJob', { chain_id: chain.chain_id, job_id: jobId });
      const response = await fetch(url, { headers: { accept: 'application/json' } });
      if (!response.ok) throw new Error("Cannot read the job's log.");
      const failed = ((await response.json()) as Static<typeof LogRow>[]).filter(({ state }) => state === 'FAILED');
      const lines = failed.map(({ rowNumber, errors }) => [...(rows[rowNumber - 1] ?? []), errors ?? '']);
      saveFile('failed-rows.csv', writeCsv([[...columns, 'error'], ...lines]), 'text/csv');
    },
    onError: notifyFailure,
  });
}
