import { Alert, Button, Card, SimpleGrid, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { JobSummary } from '../jobs/job-summary.tsx';
import { formatBytes, formatDateTime } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { PromotionResult } from '../promotions/promotion-result.tsx';
import { FailedRowsButton } from './failed-rows.tsx';
import { channelLabels, describeFolder, isOpen, type UploadedFile } from './labels.ts';

export function FilePage() {
  const { fileId } = useParams({ from: '/signed-in/files/$fileId' });
  const { repeat } = useSearch({ from: '/signed-in/files/$fileId' });
  const { data } = useRead(
    'getFile',
    { params: { file_id: fileId } },
    { refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : 700) },
  );
  const file = data?.file_id === fileId ? data : undefined;
  return (
    <Page title={file?.name ?? 'File'} actions={<Actions file={file} />}>
      {repeat && (
        <Alert color="yellow" title="This file was already uploaded">
          A file with the same name and content was accepted in the last 24 hours. Nothing is applied again. This is the
          result of the earlier file.
        </Alert>
      )}
      {file && <About file={file} />}
      {file && <Result file={file} />}
    </Page>
  );
}

function Actions({ file }: { file: UploadedFile | undefined }) {
  const may = usePermission();
  return (
    <>
      <Button component={Link} to="/files" variant="default" leftSection={<IconArrowLeft size={16} />}>
        All files
      </Button>
      {may('uploadFile') && (
        <ButtonLink to="/files/upload" variant="default">
          Upload another file
        </ButtonLink>
      )}
      {file && <FailedRowsButton file={file} />}
    </>
  );
}

function About({ file }: { file: UploadedFile }) {
  const { stores } = useStore();
  const facts: [label: string, value: string][] = [
    ['Changes', describeFolder(file.folder, stores)],
    ['Folder', file.folder],
    ['Size', formatBytes(file.size)],
    [file.state === 'UNFINISHED' ? 'Started' : 'Received', formatDateTime(file.received_at)],
    ['Uploaded by', file.uploaded_by],
    ['From', `${channelLabels[file.channel]}, ${file.address}`],
  ];
  return (
    <Card>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} verticalSpacing="sm">
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Result({ file }: { file: UploadedFile }) {
  if (file.state === 'UNFINISHED') {
    return (
      <Alert color="gray" title="The upload is not complete">
        Nothing is applied until the file is complete. If the connection was lost, resume the upload or upload the file
        again. Unfinished files are deleted after a day.
      </Alert>
    );
  }
  return file.jobs.map(({ job_id, job_type }) =>
    job_type === 'PROMOTION' ? (
      <PromotionResult key={job_id} jobId={job_id} />
    ) : (
      <div key={job_id}>
        <JobSummary jobId={job_id} />
        <ButtonLink to="/jobs/$jobId" params={{ jobId: job_id }} variant="default" mt="md">
          View job
        </ButtonLink>
      </div>
    ),
  );
}
