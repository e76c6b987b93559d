import { ActionIcon, Button, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useMessages } from '../messages/use-messages.ts';

export function Copy({ value, label }: { value: string; label: string }) {
  const t = useMessages();
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('kit.copied') : label} opened={copied ? true : undefined}>
          <ActionIcon variant="subtle" color={copied ? 'aisle' : 'gray'} onClick={copy} aria-label={label} size="sm">
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A copy button with its label next to the icon. */
export function CopyButtonWithText({ value, label, size = 'xs' }: { value: string; label: string; size?: string }) {
  const t = useMessages();
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          size={size}
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        >
          {copied ? t('kit.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** A value, such as an id, with a copy button. `isWhole`: it is wrapped, not cut off, because people compare it. */
export function Copyable({ value, label, isWhole }: { value: string; label?: string; isWhole?: boolean }) {
  const t = useMessages();
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        className="mono"
        dir="ltr"
        title={value}
        {...(isWhole ? { style: { overflowWrap: 'anywhere' } } : { truncate: true })}
      >
        {value}
      </Text>
      <Copy value={value} label={label ?? t('kit.copy')} />
    </Group>
  );
}
