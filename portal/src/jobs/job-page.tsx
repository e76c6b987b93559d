import { Button } from '@mantine/core';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { Copyable } from '../kit/copy.tsx';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ApplyButtons } from './apply-buttons.tsx';
import { CancelButton } from './cancel-button.tsx';
import { JobAbout } from './job-about.tsx';
import { JobSummary } from './job-summary.tsx';
import { Preview } from './preview.tsx';
import { RevertButton } from './revert-button.tsx';
import type { Job } from './status.ts';
import { titleOf } from './title.ts';
import { useJob } from './use-job.ts';

export function JobPage() {
  const t = useMessages();
  const { jobId } = useParams({ from: '/signed-in/jobs/$jobId' });
  const job = useJob(jobId);
  const title =
    job === undefined
      ? t('jobs.job')
      : job.dry_run
        ? t('jobs.preview')
        : t('jobs.jobOfType', { type: titleOf(job, t) });
  return (
    <Page
      title={title}
      about={
        job?.dry_run ? (
          t(job.job_status === 'FAILED' ? 'preview.failed' : 'preview.about')
        ) : (
          <Copyable value={jobId} label={t('jobs.copyId')} isWhole />
        )
      }
      actions={
        <>
          <Button
            component={Link}
            to="/jobs"
            variant="default"
            leftSection={<IconArrowLeft size={16} className="mirrored" />}
          >
            {t('jobs.all')}
          </Button>
          {job && <CancelButton job={job} />}
          {job && <RevertButton job={job} />}
          {job?.download_url && !hasNoRows(job) && <Download job={job} />}
        </>
      }
    >
      {job?.dry_run && <ApplyButtons job={job} />}
      {job?.dry_run ? <Preview key={jobId} job={job} /> : <JobSummary jobId={jobId} />}
      {job && <JobAbout job={job} />}
    </Page>
  );
}

/** The file of a failed preview has only the names of the columns. */
function hasNoRows({ dry_run, job_status }: Job): boolean {
  return dry_run === true && job_status === 'FAILED';
}

function Download({ job }: { job: Job }) {
  const t = useMessages();
  const { chain } = useSession();
  const url = urlOf('downloadCatalogJob', { chain_id: chain.chain_id, job_id: job.job_id });
  const isExport = job.job_type === 'CATALOG_EXPORT';
  const [name, text] = job.dry_run
    ? (['preview.csv', 'jobs.downloadPreview'] as const)
    : isExport
      ? (['catalog.csv', 'jobs.downloadCatalog'] as const)
      : (['job-result.csv', 'jobs.downloadResult'] as const);
  return (
    <Button
      component="a"
      href={url}
      download={name}
      variant={isExport ? 'filled' : 'default'}
      leftSection={<IconDownload size={16} />}
    >
      {t(text)}
    </Button>
  );
}
