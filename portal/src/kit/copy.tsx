import { ActionIcon, Button, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

export function Copy({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label} opened={copied ? true : undefined}>
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
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          size={size}
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}

/** A value, such as an id, with a copy button. */
export function Copyable({ value, label = 'Copy' }: { value: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text className="mono" truncate title={value}>
        {value}
      </Text>
      <Copy value={value} label={label} />
    </Group>
  );
}
