import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconClock } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../api/hooks.ts';
import { usePermission } from '../api/session.tsx';
import { FormButtons } from '../kit/form-buttons.tsx';
import { timeZoneName } from '../kit/format.ts';
import { ButtonLink } from '../kit/link.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Job } from './status.ts';

/** Applies a preview now or at a time, and opens the job that does it. */
export function ApplyButtons({ job }: { job: Job }) {
  const t = useMessages();
  const may = usePermission();
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure(false);
  const apply = useChange('applyCatalogPreview', ['getCatalogJob', 'listCatalogJobs', 'listFiles', 'getFile']);
  if (!may('applyCatalogPreview') || job.applied_job_id !== undefined) return null;
  if (job.job_status === 'FAILED') {
    return (
      <div>
        <ButtonLink to="/files/upload">{t('files.uploadAnother')}</ButtonLink>
      </div>
    );
  }
  const start = (applyAt?: string) =>
    apply.mutate(
      { params: { job_id: job.job_id }, body: applyAt === undefined ? {} : { apply_at: applyAt } },
      { onSuccess: ({ job_id: id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: id } }) },
    );
  const isReady = job.job_status === 'COMPLETED';
  return (
    <Group gap="xs">
      <Button
        leftSection={<IconCheck size={16} />}
        disabled={!isReady}
        loading={apply.isPending && !isOpen}
        onClick={() => start()}
      >
        {t('preview.apply')}
      </Button>
      <Button variant="default" leftSection={<IconClock size={16} />} disabled={!isReady} onClick={open}>
        {t('preview.applyAt')}
      </Button>
      <ButtonLink to="/files/upload" variant="subtle">
        {t('preview.discard')}
      </ButtonLink>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('preview.applyAtTitle')}
        closeButtonProps={{ 'aria-label': t('kit.closeDialog') }}
      >
        <TimeForm isPending={apply.isPending} onClose={close} onSubmit={start} />
      </Modal>
    </Group>
  );
}

type TimeFormProps = { isPending: boolean; onClose(): void; onSubmit(applyAt: string): void };

function TimeForm({ isPending, onClose, onSubmit }: TimeFormProps) {
  const t = useMessages();
  const [time, setTime] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new Date(time).toISOString());
      }}
    >
      <Stack>
        <TextInput
          type="datetime-local"
          label={t('preview.applyAtLabel', { zone: timeZoneName() })}
          description={t('preview.applyAtHelp')}
          value={time}
          onChange={({ currentTarget }) => setTime(currentTarget.value)}
          min={localTime(Date.now())}
          max={localTime(Date.now() + 30 * 86_400_000)}
          required
          data-autofocus
        />
        <FormButtons submit={t('preview.schedule')} isPending={isPending} onClose={onClose} />
      </Stack>
    </form>
  );
}

/** A time in the form of a `datetime-local` field, in the browser's time zone. */
function localTime(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}
