import { Alert, Button, CopyButton, Modal, Stack, Textarea } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';

type SecretProps = {
  title: string;
  label: string;
  secret: string;
  /** What to do if the secret is lost. */
  lost?: string;
  children?: ReactNode;
  onClose(): void;
};

/** Shows a secret once, with a copy button. */
export function Secret({ title, label, secret, lost, children, onClose }: SecretProps) {
  const t = useMessages();
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <Stack>
        <Alert color="yellow" icon={<IconEyeOff size={18} />} title={t('kit.copyNow')}>
          {t('kit.shownOnce', { lost: lost ?? t('kit.lost') })}
        </Alert>
        <Textarea
          label={label}
          value={secret}
          readOnly
          autosize
          classNames={{ input: 'mono' }}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton value={secret} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              data-autofocus
            >
              {copied ? t('kit.copied') : t('kit.copy')}
            </Button>
          )}
        </CopyButton>
        {children}
        <Button variant="default" onClick={onClose}>
          {t('kit.done')}
        </Button>
      </Stack>
    </Modal>
  );
}
