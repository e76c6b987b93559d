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
import { describeCounts } from './describe.ts';

type Certification = ResponseBody<'listCertifications'>['certifications'][number];

export function CertificationPage() {
  const navigate = useNavigate();
  const may = usePermission();
  const { store } = useStore();
  const [page, setPage] = useState(1);
  const { data } = useRead('listCertifications', { query: { page, page_size: 20 } }, { refetchInterval: 3000 });
  return (
    <Page
      title="Certification"
      about={
        <>
          Sends thirteen scripted test orders to your webhook and checks, step by step, that your receiver and your
          device handle them as documented. <DocsLink to="certification">Read the guide</DocsLink>
        </>
      }
    >
      {!store.test && (
        <Alert color="orange" icon={<IconAlertTriangle />} title={`${store.name} is not a test store`}>
          Its pickers will see the test orders. Stock does not change.
        </Alert>
      )}
      {may('startCertification') ? (
        <Start key={store.vendor_id} />
      ) : (
        <NotAllowed>You have read-only access. Only managers and owners can start a certification.</NotAllowed>
      )}
      <DataTable
        label="Certifications"
        columns={useColumns()}
        rows={data?.certifications}
        keyOf={({ certification_id }) => certification_id}
        onOpen={({ certification_id }) =>
          void navigate({ to: '/certification/$certificationId', params: { certificationId: certification_id } })
        }
        empty={
          <EmptyState title="No certifications yet">
            Connect your receiver and your device, then start the first one.
          </EmptyState>
        }
        paging={pagingOf(data, page, setPage)}
      />
    </Page>
  );
}

function Start() {
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
        label="Time limit for each step"
        w={200}
        min={5}
        max={3600}
        clampBehavior="blur"
        allowDecimal={false}
        suffix=" s"
        value={seconds}
        onChange={(value) => setSeconds(Number(value) || 30)}
      />
      <Button leftSection={<IconCertificate size={18} />} loading={start.isPending} onClick={run}>
        Start certification
      </Button>
    </Group>
  );
}

function useColumns(): Column<Certification>[] {
  const { stores } = useStore();
  return [
    {
      head: 'Store',
      cell: ({ certification_id: certificationId, vendor_id }) => (
        <RowLink to="/certification/$certificationId" params={{ certificationId }}>
          {stores.find((store) => store.vendor_id === vendor_id)?.name ?? vendor_id}
        </RowLink>
      ),
    },
    { head: 'Status', cell: ({ status }) => <State value={status} /> },
    { head: 'Scenarios', cell: (certification) => <Text size="sm">{describeCounts(certification)}</Text> },
    { head: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
