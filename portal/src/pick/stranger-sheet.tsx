import { useState } from 'react';
import { canReplace, type Draft, type Line, nameOf } from './draft.ts';
import { useWording } from './language.ts';
import type { Chosen } from './product-sheet.tsx';
import { Picture } from './picture.tsx';
import { Sheet } from './sheet.tsx';
import type { Stranger } from './use-scan.ts';

type StrangerProps = {
  draft: Draft;
  lines: readonly Line[];
  stranger: Stranger;
  onReplace(line: Line, chosen: Chosen): void;
  onAdd(chosen: Chosen): void;
  onClose(): void;
};

/** A scanned product that is not in the order: put it back, replace an item with it, or add it. */
export function StrangerSheet({ draft, lines, stranger, onReplace, onAdd, onClose }: StrangerProps) {
  const { text, language } = useWording();
  const [isReplacing, setReplacing] = useState(false);
  const { code, chosen } = stranger;
  if (!chosen) {
    return (
      <Sheet title={text('scan.unknown')} tone="bad" onClose={onClose}>
        <p>{text('scan.unknownHelp', { code })}</p>
        <button type="button" className="primary" onClick={onClose}>
          {text('scan.putBack')}
        </button>
      </Sheet>
    );
  }
  const name = nameOf(chosen.product.sku, language, undefined, draft.products);
  const open = lines.filter(
    (line) =>
      line.item && line.state !== 'REPLACED' && line.state !== 'IN_CART' && canReplace(draft, line, chosen.product),
  );
  if (isReplacing) {
    return (
      <Sheet title={text('scan.chooseItem')} onClose={onClose}>
        <div className="choices">
          {open.map((line) => (
            <button key={line.id} type="button" onClick={() => onReplace(line, chosen)}>
              <bdi>{nameOf(line.sku, language, line.item, draft.products)}</bdi>
            </button>
          ))}
          <button type="button" onClick={() => setReplacing(false)}>
            {text('app.cancel')}
          </button>
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet title={text('scan.wrong')} tone="bad" onClose={onClose}>
      <div className="line-head">
        <Picture url={chosen.product.picture} />
        <p className="line-text">{text('scan.wrongHelp', { name })}</p>
      </div>
      <div className="choices">
        <button type="button" className="primary" onClick={onClose}>
          {text('scan.putBack')}
        </button>
        {open.length > 0 && (
          <button type="button" onClick={() => setReplacing(true)}>
            {text('scan.useAsReplacement')}
          </button>
        )}
        <button type="button" onClick={() => onAdd(chosen)}>
          {text('scan.addToOrder')}
        </button>
      </div>
    </Sheet>
  );
}
