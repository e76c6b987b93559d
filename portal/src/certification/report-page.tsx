import { Accordion, Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { usePermission } from '../api/session.tsx';
import { useStore } from '../api/store.tsx';
import { CopyButtonWithText } from '../kit/copy.tsx';
import { formatDateTime } from '../kit/format.ts';
import { InlineLink } from '../kit/link.tsx';
import { Page } from '../kit/page.tsx';
import { saveFile } from '../kit/save-file.ts';
import { State } from '../kit/state.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { colorOf, describeCounts, describeResult, scenariosToOpen } from './describe.ts';
import { ScenarioSteps } from './scenario-steps.tsx';

type Report = ResponseBody<'getCertification'>;

/** The report of a certification. Its URL can be shared with the chain's other users. */
export function ReportPage() {
  const t = useMessages();
  const { certificationId } = useParams({ from: '/signed-in/certification/$certificationId' });
  const { stores } = useStore();
  const { data } = useRead(
    'getCertification',
    { params: { certification_id: certificationId } },
    { refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 1000 : false) },
  );
  const report = data?.certification_id === certificationId ? data : undefined;
  const store = stores.find(({ vendor_id }) => vendor_id === report?.vendor_id);
  return (
    <Page
      title={t('certification.report')}
      about={
        report && (
          <>
            <bdi>{store?.name ?? report.vendor_id}</bdi> · {formatDateTime(report.created_at)}
          </>
        )
      }
      actions={report && <Actions report={report} />}
    >
      {!report && <Skeleton height={300} />}
      {report && (
        <>
          <Alert color={colors[report.status]} role="status" title={describeCounts(t, report)}>
            {describeResult(t, report)}
          </Alert>
          <Scenarios key={report.status} report={report} />
        </>
      )}
    </Page>
  );
}

const colors: Record<Report['status'], string> = { RUNNING: 'blue', PASSED: 'teal', FAILED: 'red', STOPPED: 'gray' };

function Actions({ report }: { report: Report }) {
  const t = useMessages();
  const may = usePermission();
  const stop = useChange('stopCertification', ['getCertification', 'listCertifications']);
  const download = () =>
    saveFile(`certification-${report.certification_id}.json`, JSON.stringify(report, null, 2), 'application/json');
  if (report.status === 'RUNNING') {
    if (!may('stopCertification')) return null;
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} />}
        loading={stop.isPending}
        onClick={() => stop.mutate({ params: { certification_id: report.certification_id } })}
      >
        {t('certification.stop')}
      </Button>
    );
  }
  return (
    <>
      <CopyButtonWithText value={location.href} label={t('certification.copyLink')} size="sm" />
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
        {t('certification.downloadJson')}
      </Button>
      {may('startCertification') && <RunAgain report={report} />}
    </>
  );
}

/** Runs the failed scenarios again, or all of them if none failed. */
function RunAgain({ report }: { report: Report }) {
  const t = useMessages();
  const navigate = useNavigate();
  const start = useChange('startCertification', ['listCertifications']);
  const failed = report.scenarios.flatMap(({ name, status }) => (status === 'FAILED' ? [name] : []));
  const run = () =>
    start.mutate(
      {
        params: { vendor_id: report.vendor_id },
        body: { step_seconds: report.step_seconds, ...(failed.length > 0 && { scenarios: failed }) },
      },
      {
        onSuccess: ({ certification_id: certificationId }) =>
          void navigate({ to: '/certification/$certificationId', params: { certificationId } }),
      },
    );
  return (
    <Button leftSection={<IconRefresh size={16} />} loading={start.isPending} onClick={run}>
      {failed.length > 0 ? t('certification.runFailed') : t('certification.runAgain')}
    </Button>
  );
}

function Scenarios({ report }: { report: Report }) {
  const t = useMessages();
  const [open, setOpen] = useState(scenariosToOpen(report));
  return (
    <Accordion multiple variant="contained" value={open} onChange={setOpen} order={2}>
      {report.scenarios.map((scenario) => (
        <Accordion.Item key={scenario.name} value={scenario.name}>
          <Accordion.Control>
            <Group gap="sm" wrap="nowrap">
              <State value={scenario.status} color={colorOf(scenario.status)} />
              <Text fw={500}>{t(`certification.scenario.${scenario.name}`)}</Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {open.includes(scenario.name) && (
              <Stack gap="sm">
                {scenario.order_id && (
                  <Text size="sm">
                    <InlineLink to="/orders/$orderId" params={{ orderId: scenario.order_id }}>
                      {t('certification.viewOrder')}
                    </InlineLink>
                  </Text>
                )}
                {scenario.order_id === null && scenario.status === 'SKIPPED' && (
                  <Text size="sm">{t('certification.notPossible')}</Text>
                )}
                <ScenarioSteps steps={scenario.steps} />
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
