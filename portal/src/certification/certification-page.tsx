import { Alert, Button, Group, NumberInput, Text } from '@mantine/core';
import { IconAlertTriangle, IconCertificate } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { type Column, DataTable, pagingOf } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { DocsLink, RowLink } from '../kit/link.tsx';
import { NotAllowed } from '../kit/not-allowed.tsx';
import { Page } from '../kit/page.tsx';
import { State } from '../kit/state.tsx';
import { Time } from '../kit/time.tsx';
import { Rich } from '../messages/rich.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { colorOf, describeCounts } from './describe.ts';

type Certification = ResponseBody<'listCertifications'>['certifications'][number];

export function CertificationPage() {
  const t = useMessages();
  const navigate = useNavigate();
  const may = usePermission();
  const { store } = useStore();
  const [page, setPage] = useState(1);
  const { data } = useRead('listCertifications', { query: { page, page_size: 20 } }, { refetchInterval: 3000 });
  return (
    <Page
      title={t('certification.title')}
      about={
        <>
          <Rich
            message="certification.about"
            values={{ link: <DocsLink to="certification">{t('certification.guide')}</DocsLink> }}
          />
        </>
      }
    >
      {!store.test && (
        <Alert
          color="orange"
          icon={<IconAlertTriangle />}
          title={t('certification.notTestStore', { store: store.name })}
        >
          {t('certification.notTestStoreHelp')}
        </Alert>
      )}
      {may('startCertification') ? (
        <Start key={store.vendor_id} />
      ) : (
        <NotAllowed>{t('certification.readOnly')}</NotAllowed>
      )}
      <DataTable
        label={t('certification.list')}
        columns={useColumns()}
        rows={data?.certifications}
        keyOf={({ certification_id }) => certification_id}
        onOpen={({ certification_id }) =>
          void navigate({ to: '/certification/$certificationId', params: { certificationId: certification_id } })
        }
        empty={<EmptyState title={t('certification.none')}>{t('certification.noneHelp')}</EmptyState>}
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function Start() {
  const t = useMessages();
  const navigate = useNavigate();
  const { store } = useStore();
  const [seconds, setSeconds] = useState(30);
  const start = useChange('startCertification', ['listCertifications']);
  const run = () =>
    start.mutate(
      { params: { vendor_id: store.vendor_id }, body: { step_seconds: seconds } },
      {
        onSuccess: ({ certification_id: certificationId }) =>
          void navigate({ to: '/certification/$certificationId', params: { certificationId } }),
      },
    );
  return (
    <Group align="flex-end">
      <NumberInput
        label={t('certification.timeLimit')}
        w={200}
        min={5}
        max={3600}
        clampBehavior="blur"
        allowDecimal={false}
        suffix={t('certification.seconds')}
        value={seconds}
        onChange={(value) => setSeconds(Number(value) || 30)}
      />
      <Button leftSection={<IconCertificate size={18} />} loading={start.isPending} onClick={run}>
        {t('certification.start')}
      </Button>
    </Group>
  );
}

function useColumns(): Column<Certification>[] {
  const t = useMessages();
  const { stores } = useStore();
  return [
    {
      head: t('certification.store'),
      cell: ({ certification_id: certificationId, vendor_id }) => (
        <RowLink to="/certification/$certificationId" params={{ certificationId }}>
          {stores.find((store) => store.vendor_id === vendor_id)?.name ?? vendor_id}
        </RowLink>
      ),
    },
    { head: t('certification.status'), cell: ({ status }) => <State value={status} color={colorOf(status)} /> },
    {
      head: t('certification.scenarios'),
      cell: (certification) => <Text size="sm">{describeCounts(t, certification)}</Text>,
    },
    { head: t('certification.started'), cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
