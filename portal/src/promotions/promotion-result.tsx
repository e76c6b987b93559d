import { Alert, Button, Card, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { urlOf } from '../api/call.ts';
import { useRead } from '../api/hooks.ts';
import type { ResponseBody } from '../api/operations.ts';
import { useSession } from '../api/session.tsx';
import { hasEnded } from '../jobs/status.ts';
import { ButtonLink } from '../kit/link.tsx';
import { State } from '../kit/state.tsx';
import { promotionErrorText } from '../messages/server-text.ts';
import { useMessages } from '../messages/use-messages.ts';
import { useStore } from '../api/store.tsx';

type Job = ResponseBody<'getPromotionJob'>;

/** The job's result: how many discounts were applied and which products were rejected. */
export function PromotionResult({ jobId, onAgain }: { jobId: string; onAgain?(): void }) {
  const t = useMessages();
  const { data: job } = useRead(
    'getPromotionJob',
    { params: { job_id: jobId } },
    { refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : 600) },
  );
  if (!job) return <Skeleton height={200} />;
  return (
    <Stack maw={860}>
      <Card>
        <Group justify="space-between">
          <Title order={2}>{t('promotions.applied', { count: job.result.applied })}</Title>
          <State value={job.job_status} />
        </Group>
      </Card>
      {job.error && (
        <Alert color="red" title={t('promotions.failed')}>
          <div dir="auto" className="own-direction">
            {promotionErrorText(job.error)}
          </div>
        </Alert>
      )}
      <Problems job={job} />
      <Group>
        {job.promotion_id && job.job_status === 'COMPLETED' && (
          <ButtonLink to="/promotions/$promotionId" params={{ promotionId: job.promotion_id }}>
            {t('promotions.view')}
          </ButtonLink>
        )}
        {onAgain && (
          <Button variant="default" onClick={onAgain}>
            {t('promotions.createAnother')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function Problems({ job }: { job: Job }) {
  const { chain } = useSession();
  const { stores } = useStore();
  const t = useMessages();
  const { missing_skus, invalid_discounted_skus, skus_not_in_promotion, invalid_vendors, download_url } = job.result;
  const invalidRows = job.result.invalid_rows ?? [];
  const nameOf = (id: string) => stores.find((store) => store.vendor_id === id)?.name ?? id;
  const rows = [
    ...invalidRows.map(({ line, reason }) => [t('files.line', { line }), '', reason]),
    ...invalid_vendors.map((id) => [id, '', t('promotions.unknownStore')]),
    ...pairsOf(missing_skus).map(([id, sku]) => [nameOf(id), sku, t('promotions.notSold')]),
    ...pairsOf(invalid_discounted_skus).map(([id, sku]) => [nameOf(id), sku, t('promotions.invalidDiscount')]),
    ...pairsOf(skus_not_in_promotion ?? {}).map(([id, sku]) => [nameOf(id), sku, t('promotions.notIncluded')]),
  ];
  if (rows.length === 0) return null;
  return (
    <Card padding={0}>
      <Group justify="space-between" p="md" pb={4}>
        <Title order={3}>{t('promotions.notApplied')}</Title>
        {download_url && (
          <Button
            component="a"
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} />}
            download="not-applied.csv"
            href={urlOf('downloadPromotionJob', { chain_id: chain.chain_id, job_id: job.job_id })}
          >
            {t('promotions.downloadAll')}
          </Button>
        )}
      </Group>
      <Table aria-label={t('promotions.notApplied')}>
        <Table.Tbody>
          {rows.slice(0, 100).map(([store, sku, why], index) => (
            <Table.Tr key={index}>
              <Table.Td>{store}</Table.Td>
              <Table.Td className="mono">{sku}</Table.Td>
              <Table.Td>
                <Text size="sm" dir="auto" className="own-direction">
                  {why}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

function pairsOf(skus: Record<string, string[]>): [string, string][] {
  return Object.entries(skus).flatMap(([vendor, list]) => list.map((sku): [string, string] => [vendor, sku]));
}
