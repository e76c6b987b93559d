import { Button, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { hasEnded, type Job } from './status.ts';

/** Reverts the job, or some of its SKUs, and opens the job that does it. */
export function RevertButton({ job }: { job: Job }) {
  const t = useMessages();
  const may = usePermission();
  const [isOpen, { open, close }] = useDisclosure(false);
  if (!may('revertCatalogJob') || !isRevertible(job)) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={open}>
        {t('jobs.revert')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('jobs.revertTitle')}
        closeButtonProps={{ 'aria-label': t('kit.closeDialog') }}
      >
        <RevertForm jobId={job.job_id} onClose={close} />
      </Modal>
    </>
  );
}

function isRevertible(job: Job): boolean {
  return job.job_type === 'CATALOG_UPDATE' && !job.dry_run && hasEnded(job) && job.progress.succeeded > 0;
}

function RevertForm({ jobId, onClose }: { jobId: string; onClose(): void }) {
  const t = useMessages();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const revert = useChange('revertCatalogJob', ['listCatalogJobs']);
  const skus = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const submit = () =>
    revert.mutate(
      { params: { job_id: jobId }, body: skus.length > 0 ? { skus } : {} },
      {
        onSuccess: ({ job_id: id }) => {
          onClose();
          void navigate({ to: '/jobs/$jobId', params: { jobId: id } });
        },
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text size="sm">{t('jobs.revertText')}</Text>
        <Textarea
          label={t('jobs.revertSkus')}
          description={t('jobs.revertSkusHelp')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={3}
          maxRows={10}
          dir="ltr"
        />
        <FormButtons submit={t('jobs.revert')} isPending={revert.isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}
