import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { useWording, type Wording } from './language.ts';
import { checkWeight, parseWeight, type WeightLimits } from './weight.ts';

type WeightFieldProps = {
  label: string;
  /** The weight so far, shown in the field. */
  weight: number | null;
  /** What was typed before the page was reloaded. */
  typed?: string | undefined;
  onType?(typed: string): void;
  limits: WeightLimits;
  /** The weight when the field is left, if it is valid. */
  onWeight(weight: number): void;
  /** Enter was pressed with a valid weight. */
  onEnter(weight: number): void;
  ref?: Ref<WeightHandle>;
};

export type WeightHandle = {
  /** The weight in the field. If it is missing or invalid, the field shows why and gets the focus. */
  take(): number | undefined;
  focus(): void;
};

/** Accepts any input while typing. The weight is checked when the field is left. */
export function WeightField(props: WeightFieldProps) {
  const { label, weight, limits, onType, onWeight, onEnter, ref } = props;
  const wording = useWording();
  const [typed, setTyped] = useState(props.typed ?? (weight === null ? '' : wording.number(weight)));
  const [shown, setShown] = useState(weight);
  const [problem, setProblem] = useState<string>();
  const helpId = useId();
  if (weight !== shown) {
    // Another device or a scan has changed the weight.
    setShown(weight);
    setTyped(weight === null ? '' : wording.number(weight));
    setProblem(undefined);
  }
  const input = useRef<HTMLInputElement>(null);
  const check = (): number | undefined => {
    const found = describeProblem(typed, limits, wording);
    setProblem(found);
    return found === undefined ? parseWeight(typed) : undefined;
  };
  const take = () => {
    const valid = check();
    if (valid === undefined) input.current?.focus();
    return valid;
  };
  useImperativeHandle(ref, () => ({ take, focus: () => input.current?.focus() }));
  return (
    <div className="weight">
      <span className="weight-input" data-invalid={problem !== undefined}>
        <input
          ref={input}
          type="text"
          inputMode="decimal"
          enterKeyHint="done"
          autoComplete="off"
          dir="ltr"
          aria-label={label}
          aria-describedby={helpId}
          aria-invalid={problem !== undefined}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            onType?.(target.value);
            setProblem(undefined);
          }}
          onBlur={() => {
            if (typed.trim() === '') return;
            const valid = check();
            if (valid !== undefined && valid !== weight) onWeight(valid);
          }}
          onKeyDown={({ key }) => {
            const valid = key === 'Enter' ? take() : undefined;
            if (valid !== undefined) onEnter(valid);
          }}
        />
        <span aria-hidden>{wording.text('line.kilograms')}</span>
      </span>
      <small id={helpId} data-tone={problem && 'bad'} role={problem && 'alert'}>
        {problem ?? describeLimits(limits, wording)}
      </small>
    </div>
  );
}

function describeLimits({ min, max }: WeightLimits, { text, kilograms }: Wording): string {
  return max === undefined
    ? text('line.weightNeeded')
    : text('line.range', { min: kilograms(min), max: kilograms(max) });
}

function describeProblem(typed: string, limits: WeightLimits, wording: Wording): string | undefined {
  const { text, kilograms, number } = wording;
  const problem = checkWeight(typed, limits);
  if (problem === undefined) return undefined;
  if (problem === 'missing') return text('line.weightNeeded');
  if (problem === 'invalid') return text('line.weightInvalid', { example: number(0.85) });
  const { min, max } = limits;
  return max === undefined
    ? text('line.weightMinimum', { min: kilograms(min) })
    : text('line.weightRange', { min: kilograms(min), max: kilograms(max) });
}
