import { Button } from '@mantine/core';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { confirm } from '../kit/confirm.tsx';
import { notifyDone } from '../kit/notify.ts';
import { useMessages } from '../messages/use-messages.ts';
import { isScheduled, type Job } from './status.ts';

/** Cancels a job that waits for its time. */
export function CancelButton({ job }: { job: Job }) {
  const t = useMessages();
  const may = usePermission();
  const cancel = useChange('cancelCatalogJob', ['getCatalogJob', 'listCatalogJobs']);
  if (!may('cancelCatalogJob') || !isScheduled(job)) return null;
  const ask = () =>
    confirm({
      title: t('jobs.cancelTitle'),
      text: t('jobs.cancelText'),
      action: t('jobs.cancelScheduled'),
      onConfirm: () =>
        cancel.mutate({ params: { job_id: job.job_id } }, { onSuccess: () => notifyDone(t('jobs.cancelled')) }),
    });
  return (
    <Button variant="default" loading={cancel.isPending} onClick={ask}>
      {t('jobs.cancelScheduled')}
    </Button>
  );
}
