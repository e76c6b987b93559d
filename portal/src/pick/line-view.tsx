import { IconArrowsExchange, IconCheck, IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { type Draft, findProduct, isWeighed, type Line, type LineChange, nameOf } from './draft.ts';
import { useWording } from './language.ts';
import { Picture } from './picture.tsx';
import { limitsOf } from './scan.ts';
import { Stepper } from './stepper.tsx';
import type { Item } from './types.ts';
import { WeightField, type WeightHandle } from './weight-field.tsx';

type LineProps = {
  line: Line;
  products: Draft['products'];
  isActive: boolean;
  /** What was typed into the weight field before the page was reloaded. */
  typed?: string | undefined;
  onType(typed: string): void;
  onChange(change: LineChange): void;
  onReplace(): void;
};

/** An item of the order with everything that the picker can do with it. */
export function LineView({ isActive, ...props }: LineProps) {
  const { text, language } = useWording();
  const { line, products, onChange } = props;
  const { item, state } = line;
  if (!item) return null;
  const name = nameOf(line.sku, language, item, products);
  return (
    <li className="line" id={lineElementId(line)} data-state={state} data-active={isActive} aria-label={name}>
      <ItemHead item={item} name={name} />
      {state === 'PENDING' ? (
        <Open {...props} item={item} name={name} />
      ) : (
        <Done line={line} products={products}>
          <button type="button" onClick={() => onChange({ state: 'PENDING', replacement: null })}>
            {text('line.change')}
          </button>
        </Done>
      )}
    </li>
  );
}

/** A product that the picker added. */
export function AddedLine({
  line,
  products,
  isActive,
  onChange,
}: Pick<LineProps, 'line' | 'products' | 'isActive' | 'onChange'>) {
  const { text, language } = useWording();
  const name = nameOf(line.sku, language, undefined, products);
  return (
    <li className="line" id={lineElementId(line)} data-state={line.state} data-active={isActive} aria-label={name}>
      <AddedHead sku={line.sku} name={name} products={products} />
      <Done line={line} products={products}>
        <button type="button" onClick={() => onChange({ state: 'REMOVED' })}>
          {text('line.remove')}
        </button>
      </Done>
    </li>
  );
}

/** An item or an added product, for users who may not pick. */
export function ReadOnlyLine({ line, products }: Pick<LineProps, 'line' | 'products'>) {
  const { language } = useWording();
  const { item, state, sku } = line;
  const name = nameOf(sku, language, item, products);
  return (
    <li className="line" data-state={state} aria-label={name}>
      {item ? <ItemHead item={item} name={name} /> : <AddedHead sku={sku} name={name} products={products} />}
      {state !== 'PENDING' && <Done line={line} products={products} />}
    </li>
  );
}

export function lineElementId({ id }: Line): string {
  return `line-${id}`;
}

function ItemHead({ item, name }: { item: Item; name: string }) {
  return (
    <div className="line-head">
      <Picture url={item.image_url} />
      <div className="line-text">
        <h2 dir="auto">{name}</h2>
        <Details item={item} />
      </div>
      <b className="ordered">
        <Ordered item={item} />
      </b>
    </div>
  );
}

function AddedHead({ sku, name, products }: { sku: string; name: string; products: Draft['products'] }) {
  return (
    <div className="line-head">
      <Picture url={findProduct(products, sku)?.picture} />
      <div className="line-text">
        <h2 dir="auto">{name}</h2>
        <Codes codes={[sku]} />
      </div>
    </div>
  );
}

function Details({ item }: { item: Item }) {
  const { text, code } = useWording();
  const { instructions, replacement } = item;
  return (
    <>
      <Codes codes={[item.sku, ...item.barcode]} />
      {instructions && <p className="remark">{text('line.instructions', { text: instructions })}</p>}
      {replacement && <p className="remark">{text('line.preference', { text: code(replacement.preference) })}</p>}
    </>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <p className="codes">
      {codes.map((code) => (
        <bdi key={code}>{code}</bdi>
      ))}
    </p>
  );
}

function Ordered({ item: { pricing } }: { item: Item }) {
  const { number, kilograms } = useWording();
  return pricing.pricing_type === 'KG' ? kilograms(pricing.weight ?? 1) : `× ${number(pricing.quantity)}`;
}

type OpenProps = Omit<LineProps, 'isActive'> & { item: Item; name: string };

function Open({ line, item, name, products, typed, onType, onChange, onReplace }: OpenProps) {
  const { text } = useWording();
  const others = (
    <>
      <button type="button" onClick={() => onChange({ state: 'NOT_FOUND' })}>
        <IconX aria-hidden /> {text('line.notFound')}
      </button>
      <button type="button" onClick={onReplace}>
        <IconArrowsExchange aria-hidden /> {text('line.replace')}
      </button>
    </>
  );
  return isWeighed(line, products) ? (
    <Weighed line={line} item={item} name={name} typed={typed} onType={onType} onChange={onChange}>
      {others}
    </Weighed>
  ) : (
    <Counted line={line} item={item} name={name} onChange={onChange}>
      {others}
    </Counted>
  );
}

type ControlProps = { line: Line; item: Item; name: string; children: ReactNode; onChange(change: LineChange): void };

/** A line that is counted. The last unit marks it as picked. */
function Counted({ line, item, name, children, onChange }: ControlProps) {
  const { text, number } = useWording();
  const { quantity: total, min_quantity: min, max_quantity: max } = item.pricing;
  const count = line.quantity ?? 0;
  const set = (next: number) => onChange({ state: next === total ? 'IN_CART' : 'PENDING', quantity: next });
  const target = count === 0 ? total : count;
  const isTooFew = target < min;
  return (
    <div className="controls">
      {(max > 1 || count > 0) && (
        <Stepper
          shown={text('line.count', { count: number(count), total: number(total) })}
          lessLabel={text('line.decrease', { name })}
          moreLabel={text('line.increase', { name })}
          canLess={count > 0}
          canMore={count < max}
          onLess={() => onChange({ state: 'PENDING', quantity: count - 1 })}
          onMore={() => set(count + 1)}
        />
      )}
      <button
        type="button"
        className="primary"
        disabled={isTooFew}
        onClick={() => onChange({ state: 'IN_CART', quantity: target })}
      >
        <IconCheck aria-hidden />
        {target < total ? text('line.inCartPart', { count: target }) : text('line.inCart')}
      </button>
      {isTooFew && <small data-tone="bad">{text('line.wholeOnly', { min })}</small>}
      {children}
    </div>
  );
}

/** A line that is weighed. Only a weight that stands in the field is taken. */
function Weighed({
  line,
  item,
  name,
  typed,
  children,
  onType,
  onChange,
}: ControlProps & Pick<LineProps, 'typed' | 'onType'>) {
  const { text } = useWording();
  const field = useRef<WeightHandle>(null);
  const take = (weight: number | undefined) => {
    if (weight !== undefined) onChange({ state: 'IN_CART', weight });
  };
  return (
    <div className="controls">
      <WeightField
        ref={field}
        label={text('line.weight', { name })}
        weight={line.weight}
        typed={typed}
        limits={limitsOf({ ...line, item })}
        onType={onType}
        onWeight={(weight) => onChange({ weight })}
        onEnter={take}
      />
      <button type="button" className="primary" onClick={() => take(field.current?.take())}>
        <IconCheck aria-hidden /> {text('line.inCart')}
      </button>
      {children}
    </div>
  );
}

function Done({ line, products, children }: { line: Line; products: Draft['products']; children?: ReactNode }) {
  const { text, language } = useWording();
  const { state, replacement, markedBy } = line;
  return (
    <div className="done">
      <span className="outcome">
        {icons[state]}
        <span>
          <b>
            {state === 'IN_CART' && text('line.inCart')}
            {state === 'NOT_FOUND' && text('line.notFound')}
            {state === 'REPLACED' && text('line.replacedBy')}
            {state === 'ADDED' && text('line.added')}
          </b>{' '}
          {replacement && <bdi>{nameOf(replacement.sku, language, undefined, products)}</bdi>}{' '}
          {state !== 'NOT_FOUND' && <Amount {...(replacement ?? line)} line={line} products={products} />}
          {markedBy && !markedBy.is_me && <small>{text('line.changedBy', { name: markedBy.name })}</small>}
        </span>
      </span>
      {children}
    </div>
  );
}

type AmountProps = { quantity: number | null; weight: number | null; line: Line; products: Draft['products'] };

function Amount({ quantity, weight, line, products }: AmountProps) {
  const { text, kilograms, number } = useWording();
  const isByWeight = line.replacement
    ? (findProduct(products, line.replacement.sku)?.isSoldByWeight ?? weight !== null)
    : isWeighed(line, products);
  if (isByWeight) return <span className="amount">{kilograms(weight ?? 0)}</span>;
  const total = line.state === 'IN_CART' ? line.item?.pricing.quantity : undefined;
  const isPart = total !== undefined && total !== quantity;
  return (
    <span className="amount">
      {isPart ? text('line.count', { count: quantity ?? 0, total }) : `× ${number(quantity ?? 1)}`}
    </span>
  );
}

const icons: Partial<Record<Line['state'], ReactNode>> = {
  IN_CART: <IconCheck aria-hidden />,
  NOT_FOUND: <IconX aria-hidden />,
  REPLACED: <IconArrowsExchange aria-hidden />,
  ADDED: <IconPlus aria-hidden />,
};
