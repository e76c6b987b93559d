import { Card, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useStore } from '../api/store.tsx';
import { formatDateTime } from '../kit/format.ts';
import { TextLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Job } from './use-job.ts';

/** Who created the job, from where and when, and the jobs that it is related to. */
export function JobAbout({ job }: { job: Job }) {
  const t = useMessages();
  const { stores } = useStore();
  const store = stores.find(({ vendor_id }) => vendor_id === job.vendor_id);
  const by = job.created_by;
  const facts: [label: string, value: ReactNode][] = [
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
      <Related jobId={job.reverts_job_id} text={t('jobs.viewReverted')} />
      <Related jobId={job.applied_job_id} text={t('jobs.viewApplied')} />
    </Card>
  );
}

function Related({ jobId, text }: { jobId: string | undefined; text: string }) {
  if (jobId === undefined) return null;
  return (
    <TextLink to="/jobs/$jobId" params={{ jobId }} size="sm" mt="sm">
      {text}
    </TextLink>
  );
}
