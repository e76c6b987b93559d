import { closedReasons } from '@aisle/contract/outlets';
import { Alert, Button, Group, Modal, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DateTimePicker } from '../kit/dates.tsx';
import { humanize } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import { type Closing, closingRequest, ends, initialClosing } from './closing-input.ts';
import { useChangeStores } from './use-change-stores.ts';

/** The dialog that closes several stores. */
export function CloseStores({ vendorIds, onClose }: { vendorIds: string[]; onClose(): void }) {
  const t = useMessages();
  return (
    <Modal opened onClose={onClose} title={t('outlets.closeTitle', { count: vendorIds.length })}>
      <ClosingForm vendorIds={vendorIds} onDone={onClose} />
    </Modal>
  );
}

/** Asks why and until when to close stores, and closes them. */
export function ClosingForm({ vendorIds, onDone }: { vendorIds: string[]; onDone?: () => void }) {
  const t = useMessages();
  const { change, failures, isPending } = useChangeStores();
  const [closing, setClosing] = useState<Closing>(initialClosing);
  const request = closingRequest(closing);
  const update = (changes: Partial<Closing>) => setClosing((before) => ({ ...before, ...changes }));
  return (
    <Stack gap="sm">
      <Failures failures={failures} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('outlets.reason')}
          data={closedReasons.map((value) => ({ value, label: humanize(value) }))}
          value={closing.reason}
          onChange={(reason) => reason && update({ reason })}
          allowDeselect={false}
        />
        <Select
          label={t('outlets.until')}
          data={ends.map((value) => ({ value, label: t(`outlets.end.${value}`) }))}
          value={closing.end}
          onChange={(end) => end && update({ end })}
          allowDeselect={false}
        />
      </SimpleGrid>
      <EndField closing={closing} onChange={update} />
      <Group justify="flex-end">
        <Button
          color="red.8"
          disabled={!request}
          loading={isPending}
          onClick={() => request && change({ vendor_ids: vendorIds, ...request }, onDone)}
        >
          {t('outlets.close', { count: vendorIds.length })}
        </Button>
      </Group>
    </Stack>
  );
}

function EndField({ closing, onChange }: { closing: Closing; onChange(change: Partial<Closing>): void }) {
  const t = useMessages();
  if (closing.end === 'tomorrow') {
    return (
      <TextInput
        type="time"
        label={t('outlets.tomorrowAt')}
        description={t('outlets.localTime')}
        value={closing.tomorrowAt}
        onChange={(event) => onChange({ tomorrowAt: event.currentTarget.value })}
      />
    );
  }
  if (closing.end === 'time') {
    return (
      <DateTimePicker
        label={t('outlets.reopensAt')}
        description={t('outlets.browserTime')}
        value={closing.time}
        onChange={(time) => onChange({ time })}
        minDate={new Date()}
        clearable
      />
    );
  }
  return closing.end === 'today' ? (
    <Text size="sm" c="dimmed">
      {t('outlets.localTime')}
    </Text>
  ) : null;
}

/** The stores that could not be changed, with the reasons. */
export function Failures({ failures }: { failures: string[] }) {
  const t = useMessages();
  if (failures.length === 0) return null;
  return (
    <Alert color="red" role="alert" title={t('outlets.notChanged', { count: failures.length })}>
      {failures.map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </Alert>
  );
}
