import { Button, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconDownload } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { urlOf } from '../api/call.ts';
import { useSession } from '../api/session.tsx';
import { Copyable } from '../kit/copy.tsx';
import { formatDateTime, humanize } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { useStore } from '../api/store.tsx';
import { JobSummary } from './job-summary.tsx';
import { useJob } from './use-job.ts';

export function JobPage() {
  const { jobId } = useParams({ from: '/signed-in/jobs/$jobId' });
  const job = useJob(jobId);
  return (
    <Page
      title={job ? `${humanize(job.job_type)} job` : 'Job'}
      about={<Copyable value={jobId} label="Copy job id" />}
      actions={
        <>
          <Button component={Link} to="/jobs" variant="default" leftSection={<IconArrowLeft size={16} />}>
            All jobs
          </Button>
          {job?.download_url && <Download jobId={jobId} isExport={job.job_type === 'CATALOG_EXPORT'} />}
        </>
      }
    >
      <JobSummary jobId={jobId} />
      {job && <About vendorId={job.vendor_id} from={job.created_at} to={job.updated_at} />}
    </Page>
  );
}

function Download({ jobId, isExport }: { jobId: string; isExport: boolean }) {
  const { chain } = useSession();
  const url = urlOf('downloadCatalogJob', { chain_id: chain.chain_id, job_id: jobId });
  const name = isExport ? 'catalog.csv' : 'job-log.csv';
  return (
    <Button component="a" href={url} download={name} leftSection={<IconDownload size={16} />}>
      {isExport ? 'Download catalog' : 'Download log'}
    </Button>
  );
}

function About({ vendorId, from, to }: { vendorId: string | undefined; from: string; to: string }) {
  const { stores } = useStore();
  const store = stores.find((store) => store.vendor_id === vendorId);
  return (
    <Group gap="xl">
      <Text size="sm" c="dimmed">
        {store ? `Store: ${store.name}` : 'Several stores'}
      </Text>
      <Text size="sm" c="dimmed">
        Accepted {formatDateTime(from)}
      </Text>
      <Text size="sm" c="dimmed">
        Updated {formatDateTime(to)}
      </Text>
    </Group>
  );
}
