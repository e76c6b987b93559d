import { Modal, type ModalProps } from '@mantine/core';

type DialogProps = Omit<ModalProps, 'opened'> & { isPending: boolean };

/** A dialog with a form. It cannot be closed while its request runs, because a secret in the response would be lost. */
export function Dialog({ isPending, onClose, ...props }: DialogProps) {
  return <Modal opened onClose={() => !isPending && onClose()} closeButtonProps={{ disabled: isPending }} {...props} />;
}
