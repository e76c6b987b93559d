import { IconMinus, IconPlus } from '@tabler/icons-react';

type StepperProps = {
  shown: string;
  lessLabel: string;
  moreLabel: string;
  canLess: boolean;
  canMore: boolean;
  onLess(): void;
  onMore(): void;
};

/** A number with large buttons to change it. */
export function Stepper({ shown, lessLabel, moreLabel, canLess, canMore, onLess, onMore }: StepperProps) {
  return (
    <span className="stepper">
      <button type="button" className="icon-button" aria-label={lessLabel} disabled={!canLess} onClick={onLess}>
        <IconMinus aria-hidden />
      </button>
      <output className="count">{shown}</output>
      <button type="button" className="icon-button" aria-label={moreLabel} disabled={!canMore} onClick={onMore}>
        <IconPlus aria-hidden />
      </button>
    </span>
  );
}
