import { type FileKind, fileKinds } from '@aisle/contract/file-kinds';
import { Alert, Button, Card, Group, Progress, Radio, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconUpload } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { describeFailure } from '../api/notify-failure.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { formatBytes, formatPercent } from '../kit/format.ts';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { ColumnsCard } from './columns-card.tsx';
import { DropArea } from './drop-area.tsx';
import { kindLabels } from './labels.ts';
import { useUpload } from './use-upload.ts';

export function UploadPage() {
  const t = useMessages();
  const may = usePermission();
  const { kind = 'catalog' } = useSearch({ from: '/signed-in/files/upload' });
  return (
    <Page
      title={t('upload.title')}
      about={t('upload.about')}
      actions={
        <Button
          component={Link}
          to="/files"
          variant="default"
          leftSection={<IconArrowLeft size={16} className="mirrored" />}
        >
          {t('upload.allFiles')}
        </Button>
      }
    >
      {may('uploadFile') ? (
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <UploadForm kind={kind} />
          <ColumnsCard kind={kind} />
        </SimpleGrid>
      ) : (
        <NotAllowed>{t('upload.readOnly')}</NotAllowed>
      )}
    </Page>
  );
}

function UploadForm({ kind }: { kind: FileKind }) {
  const t = useMessages();
  const { store } = useStore();
  const [chosen, setChosen] = useState<File>();
  const [target, setTarget] = useState<string>();
  const { upload, progress, cancel } = useUpload();
  const { data: limits } = useRead('getLimits', {}, { staleTime: Number.POSITIVE_INFINITY, throwOnError: false });
  const isTooLarge = chosen !== undefined && limits !== undefined && chosen.size > limits.file_bytes;
  const folder = kind === 'catalog' ? `/catalog/${target ?? store.vendor_id}` : `/${kind}`;
  const choose = (file: File | null | undefined) => {
    if (!file) return;
    upload.reset();
    setChosen(file);
  };
  return (
    <Stack>
      <KindPicker kind={kind} isDisabled={upload.isPending} />
      {kind === 'catalog' && (
        <StoreSelect value={target ?? store.vendor_id} onChange={setTarget} isDisabled={upload.isPending} />
      )}
      {upload.error && (
        <Alert color="red" role="alert" title={t('upload.notUploaded', { name: chosen?.name ?? '' })}>
          {describeFailure(upload.error).message}
        </Alert>
      )}
      {chosen ? (
        <Card>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {chosen.name}
          </Text>
          <Text size="sm" c="dimmed">
            {formatBytes(chosen.size)}
          </Text>
          {isTooLarge && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t('upload.tooLarge', { size: formatBytes(limits.file_bytes) })}
            </Text>
          )}
          {upload.isPending && <Uploading progress={progress} />}
          <Group gap="xs" mt="md">
            <Button
              leftSection={<IconUpload size={16} />}
              loading={upload.isPending}
              disabled={isTooLarge}
              onClick={() => upload.mutate({ folder, file: chosen, isPreview: kind === 'catalog' })}
            >
              {t(kind === 'catalog' ? 'upload.preview' : 'upload.upload')}
            </Button>
            <Button variant="default" onClick={upload.isPending ? cancel : () => setChosen(undefined)}>
              {t(upload.isPending ? 'kit.cancel' : 'upload.chooseAnother')}
            </Button>
          </Group>
        </Card>
      ) : (
        <DropArea onFile={choose} />
      )}
    </Stack>
  );
}

function KindPicker({ kind, isDisabled }: { kind: FileKind; isDisabled: boolean }) {
  const t = useMessages();
  const navigate = useNavigate({ from: '/files/upload' });
  const change = (value: string) =>
    void navigate({ search: (before) => ({ ...before, kind: value as FileKind }), replace: true });
  return (
    <Radio.Group label={t('upload.contains')} value={kind} onChange={change}>
      <Stack gap="xs" mt="xs">
        {fileKinds.map((value) => (
          <Radio
            key={value}
            value={value}
            label={t(kindLabels[value].title)}
            description={t(kindLabels[value].about)}
            disabled={isDisabled}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

type StoreSelectProps = { value: string; onChange(value: string): void; isDisabled: boolean };

function StoreSelect({ value, onChange, isDisabled }: StoreSelectProps) {
  const t = useMessages();
  const { stores } = useStore();
  const all = { value: 'all', label: t('upload.allStores', { count: stores.length }) };
  return (
    <Select
      label={t('upload.applyTo')}
      data={[...stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: name })), all]}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      allowDeselect={false}
      searchable
      attributes={{ input: { dir: 'auto' } }}
      disabled={isDisabled}
    />
  );
}

function Uploading({ progress }: { progress: number }) {
  const t = useMessages();
  return (
    <Stack gap={4} mt="sm">
      <Progress value={100 * progress} aria-label={t('upload.progress')} />
      <Text size="sm" c="dimmed" aria-live="polite">
        {progress < 1 ? t('upload.uploaded', { percent: formatPercent(progress, 1) }) : t('upload.waiting')}
      </Text>
    </Stack>
  );
}
