import { NumberInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './catalog.module.css';

type EditableNumberProps = {
  label: string;
  value: number | null;
  /** How it reads while nobody edits it. */
  shown: string;
  decimals?: number;
  isClosed: boolean;
  /** Null: it was emptied. */
  onSave(value: number | null): void;
};

/** A number in a table that becomes a field when it is chosen: Enter or leaving it saves, Escape does not. */
export function EditableNumber({ label, value, shown, decimals = 0, isClosed, onSave }: EditableNumberProps) {
  const [draft, setDraft] = useState<number | string>();
  if (isClosed) return <span>{shown}</span>;
  if (draft === undefined) {
    return (
      <button
        type="button"
        className={classes['value']}
        aria-label={`${label}: ${shown}, change`}
        onClick={() => setDraft(value ?? '')}
      >
        {shown}
      </button>
    );
  }
  const save = () => {
    const next = draft === '' ? null : Number(draft);
    setDraft(undefined);
    if (next !== value && !Number.isNaN(next)) onSave(next);
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
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      hideControls
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={onKey}
      styles={{ input: { textAlign: 'right' } }}
    />
  );
}
