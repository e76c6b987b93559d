import { NumberInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import classes from './catalog.module.css';

type EditableNumberProps = {
  label: string;
  value: number | null;
  /** The text that is shown while the number is not being edited. */
  shown: string;
  decimalPlaces?: number;
  isReadOnly: boolean;
  /** The value is null if the field was cleared. */
  onSave(value: number | null): void;
};

/**
 * A number in a table that becomes an input field on click. Enter and blur save the value, Escape cancels. A number that
 * was not edited is not saved: a newer one may have been loaded since the click.
 */
export function EditableNumber({ label, value, shown, decimalPlaces = 0, isReadOnly, onSave }: EditableNumberProps) {
  const t = useMessages();
  const [draft, setDraft] = useState<number | string>();
  const [before, setBefore] = useState(value);
  if (isReadOnly) return <span>{shown}</span>;
  if (draft === undefined) {
    return (
      <button
        type="button"
        className={classes['value']}
        aria-label={t('catalog.edit', { label, value: shown })}
        onClick={() => {
          setDraft(value ?? '');
          setBefore(value);
        }}
      >
        {shown}
      </button>
    );
  }
  const save = () => {
    const next = draft === '' ? null : Number(draft);
    setDraft(undefined);
    if (next !== before && next !== value && !Number.isNaN(next)) onSave(next);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') setDraft(undefined);
  };
  return (
    <NumberInput
      size="xs"
      aria-label={label}
      value={draft}
      onChange={setDraft}
      min={0}
      allowNegative={false}
      decimalScale={decimalPlaces}
      allowDecimal={decimalPlaces > 0}
      hideControls
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={onKey}
      styles={{ input: { textAlign: 'end' } }}
    />
  );
}
