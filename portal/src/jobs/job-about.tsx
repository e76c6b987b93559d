import { Card } from '@mantine/core';
import { useStore } from '../api/store.tsx';
import { type Fact, Facts } from '../kit/facts.tsx';
import { formatDateTime } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Job } from './status.ts';

/** Who created the job, from where and when, and the jobs that it is related to. */
export function JobAbout({ job }: { job: Job }) {
  const t = useMessages();
  const { stores } = useStore();
  const store = stores.find(({ vendor_id }) => vendor_id === job.vendor_id);
  const by = job.created_by;
  const facts: Fact[] = [
    [t('jobs.store'), store?.name ?? t('jobs.severalStores')],
    ...(job.file_name === undefined ? [] : [[t('jobs.file'), job.file_name] as [string, string]]),
    ...(by
      ? ([
          [t('jobs.createdBy'), by.name || '–'],
          [t('jobs.from'), t(`jobs.channel.${by.channel}`, { address: by.address })],
        ] as [string, string][])
      : []),
    [t('jobs.accepted'), formatDateTime(job.created_at)],
    [t('jobs.updated'), formatDateTime(job.updated_at)],
  ];
  return (
    <Card>
      <Facts facts={facts} />
      <Related jobId={job.reverts_job_id} text={t('jobs.viewReverted')} />
      <Related jobId={job.applied_job_id} text={t('jobs.viewApplied')} />
    </Card>
  );
}

function Related({ jobId, text }: { jobId: string | undefined; text: string }) {
  if (jobId === undefined) return null;
  return (
    <TextLink to="/jobs/$jobId" params={{ jobId }} size="sm" mt="sm" className="tall">
      {text}
    </TextLink>
  );
}
