import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useWording } from './language.ts';
import { clearToast, ToastArea } from './toast.tsx';

type SheetProps = { title: string; tone?: 'bad' | undefined; onClose(): void; children: ReactNode };

/** A dialog that covers the lower part of the screen, within reach of the thumb. */
export function Sheet({ title, tone, onClose, children }: SheetProps) {
  const { text } = useWording();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    clearToast();
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      data-tone={tone}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="icon-button" aria-label={text('app.close')} onClick={onClose}>
            <IconX aria-hidden />
          </button>
        </header>
        <ToastArea />
        {children}
      </div>
    </dialog>
  );
}
