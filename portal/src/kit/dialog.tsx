import { Modal, type ModalProps } from '@mantine/core';
import { useMessages } from '../messages/use-messages.ts';

type DialogProps = Omit<ModalProps, 'opened'> & { isPending: boolean };

/** A dialog with a form. It cannot be closed while its request runs, because a secret in the response would be lost. */
export function Dialog({ isPending, onClose, ...props }: DialogProps) {
  const t = useMessages();
  const closeButtonProps = { 'aria-label': t('kit.closeDialog'), disabled: isPending };
  return <Modal opened onClose={() => !isPending && onClose()} closeButtonProps={closeButtonProps} {...props} />;
}
