import { Alert, Button, Card } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { JobSummary } from '../jobs/job-summary.tsx';
import { type Fact, Facts } from '../kit/facts.tsx';
import { formatBytes, formatDateTime } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { PromotionResult } from '../promotions/promotion-result.tsx';
import { FailedRowsButton } from './failed-rows.tsx';
import { describeFolder, isOpen, type UploadedFile } from './labels.ts';

export function FilePage() {
  const t = useMessages();
  const { fileId } = useParams({ from: '/signed-in/files/$fileId' });
  const { repeat } = useSearch({ from: '/signed-in/files/$fileId' });
  const { data } = useRead(
    'getFile',
    { params: { file_id: fileId } },
    { refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : 700) },
  );
  const file = data?.file_id === fileId ? data : undefined;
  return (
    <Page title={file?.name ?? t('files.file')} actions={<Actions file={file} />}>
      {repeat && (
        <Alert color="yellow" title={t('files.repeat')}>
          {t('files.repeatHelp')}
        </Alert>
      )}
      {file && <About file={file} />}
      {file && <Result file={file} />}
    </Page>
  );
}

function Actions({ file }: { file: UploadedFile | undefined }) {
  const t = useMessages();
  const may = usePermission();
  return (
    <>
      <Button
        component={Link}
        to="/files"
        variant="default"
        leftSection={<IconArrowLeft size={16} className="mirrored" />}
      >
        {t('files.all')}
      </Button>
      {may('uploadFile') && (
        <ButtonLink to="/files/upload" variant="default">
          {t('files.uploadAnother')}
        </ButtonLink>
      )}
      {file && <FailedRowsButton file={file} />}
    </>
  );
}

function About({ file }: { file: UploadedFile }) {
  const t = useMessages();
  const { stores } = useStore();
  const facts: Fact[] = [
    [t('files.changes'), describeFolder(t, file.folder, stores)],
    [
      t('files.folder'),
      <bdi key="folder" dir="ltr">
        {file.folder}
      </bdi>,
    ],
    [t('files.size'), formatBytes(file.size)],
    [file.state === 'UNFINISHED' ? t('files.started') : t('files.received'), formatDateTime(file.received_at)],
    [t('files.uploadedBy'), file.uploaded_by],
    [t('files.from'), `${t(`files.channel.${file.channel}`)} · ${file.address}`],
  ];
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  );
}

function Result({ file }: { file: UploadedFile }) {
  const t = useMessages();
  if (file.state === 'UNFINISHED') {
    return (
      <Alert color="gray" title={t('files.unfinished')}>
        {t('files.unfinishedHelp')}
      </Alert>
    );
  }
  return file.jobs.map(({ job_id, job_type, dry_run }) =>
    job_type === 'PROMOTION' ? (
      <PromotionResult key={job_id} jobId={job_id} />
    ) : (
      <div key={job_id}>
        <JobSummary jobId={job_id} />
        <ButtonLink to="/jobs/$jobId" params={{ jobId: job_id }} variant={dry_run ? 'filled' : 'default'} mt="md">
          {t(dry_run ? 'files.viewPreview' : 'files.viewJob')}
        </ButtonLink>
      </div>
    ),
  );
}
