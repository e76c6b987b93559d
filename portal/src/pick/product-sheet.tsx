import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Draft, Extra, Line } from './draft.ts';
import { canReplace, nameOf } from './draft.ts';
import { fieldOf } from './form.ts';
import { useWording } from './language.ts';
import { Picture } from './picture.tsx';
import { request } from './request.ts';
import { Sheet } from './sheet.tsx';
import { Stepper } from './stepper.tsx';
import { type Candidate, type Product, toProduct } from './types.ts';
import { WeightField, type WeightHandle } from './weight-field.tsx';

/** A product to choose an amount of, and the weight on its label if it was scanned. */
export type Chosen = { product: Product; weight?: number | undefined; codes: readonly string[] };

type ProductSheetProps = {
  draft: Draft;
  /** The line to replace; absent if a product is added. */
  line: Line | undefined;
  chosen: Chosen | undefined;
  onChoose(chosen: Chosen | undefined): void;
  onConfirm(chosen: Chosen, amount: Extra): void;
  onClose(): void;
};

/** Chooses a product, then its amount: to replace an item, or to add to the order. */
export function ProductSheet({ draft, line, chosen, onChoose, onConfirm, onClose }: ProductSheetProps) {
  const { text, language } = useWording();
  const title = line
    ? text('product.replace', { name: nameOf(line.sku, language, line.item, draft.products) })
    : text('product.add');
  return (
    <Sheet title={title} onClose={onClose}>
      {chosen ? (
        <AmountStep
          key={chosen.product.sku}
          chosen={chosen}
          line={line}
          currency={draft.order.payment.currency}
          onBack={() => onChoose(undefined)}
          onConfirm={(amount) => onConfirm(chosen, amount)}
        />
      ) : (
        <ProductList draft={draft} line={line} onChoose={(product) => onChoose({ product, codes: [] })} />
      )}
    </Sheet>
  );
}

type Found = { product: Product; reason?: Candidate['reason']; stock: number | null };
type Heading = 'product.candidates' | 'product.results';
type ListProps = { draft: Draft; line: Line | undefined; onChoose(product: Product): void };

function ProductList({ draft, line, onChoose }: ListProps) {
  const { text } = useWording();
  const { order } = draft;
  const [shown, setShown] = useState<{ heading: Heading; found: Found[] }>();
  const [isFailed, setFailed] = useState(false);
  const params = { order_id: order.order_id };
  const itemId = line?.id;
  /** Only this is shown, because suggestions can arrive after the results of a search. */
  const latest = useRef<Promise<Found[]>>(undefined);
  const show = useCallback((heading: Heading, work: Promise<Found[]>) => {
    latest.current = work;
    setFailed(false);
    const isLatest = () => latest.current === work;
    work.then(
      (found) => isLatest() && setShown({ heading, found }),
      () => isLatest() && setFailed(true),
    );
  }, []);
  useEffect(() => {
    if (itemId === undefined) return;
    const candidates = request('listReplacementCandidates', { params: { order_id: order.order_id, item_id: itemId } });
    show(
      'product.candidates',
      candidates.then((body) =>
        body.candidates.map((one) => ({ product: toProduct(one), reason: one.reason, stock: one.quantity })),
      ),
    );
  }, [itemId, order.order_id, show]);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const query = fieldOf(event.currentTarget, 'query').trim();
    if (query === '') return;
    const products = request('findPickingProducts', { params, query: { query } });
    show(
      'product.results',
      products.then((body) =>
        body.products
          .map((one) => ({ product: toProduct(one), stock: one.quantity }))
          .filter(({ product }) => !line || (product.sku !== line.sku && canReplace(draft, line, product))),
      ),
    );
  };
  return (
    <>
      <form role="search" className="search" onSubmit={search}>
        <input
          type="search"
          name="query"
          enterKeyHint="search"
          aria-label={text('product.search')}
          placeholder={text('product.search')}
        />
        <button type="submit" className="icon-button" aria-label={text('product.searchButton')}>
          <IconSearch aria-hidden />
        </button>
      </form>
      <p className="dim">{text('product.scanHint')}</p>
      {isFailed && (
        <p className="notice" data-tone="bad" role="alert">
          {text('product.offline')}
        </p>
      )}
      {shown?.found.length === 0 && <p className="dim">{text('product.none')}</p>}
      {shown && shown.found.length > 0 && (
        <>
          <h3>{text(shown.heading)}</h3>
          <ul className="products">
            {shown.found.map((one) => (
              <li key={one.product.sku}>
                <ProductButton found={one} line={line} currency={order.payment.currency} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

type ButtonProps = { found: Found; line: Line | undefined; currency: string; onChoose(product: Product): void };

function ProductButton({ found: { product, reason, stock }, line, currency, onChoose }: ButtonProps) {
  const { text, language, money, kilograms } = useWording();
  const ordered = line?.item?.pricing;
  const hasSameUnit = (ordered?.pricing_type === 'KG') === product.isSoldByWeight;
  const price = money(product.price, currency);
  const difference = ordered && hasSameUnit ? product.price - ordered.unit_price : 0;
  return (
    <button type="button" className="product" onClick={() => onChoose(product)}>
      <Picture url={product.picture} />
      <span className="product-text">
        <b dir="auto">{nameOf(product.sku, language, undefined, { [product.sku]: product })}</b>
        <span className="dim">
          {product.isSoldByWeight ? text('line.perKilogram', { price }) : price}
          {difference > 0 && (
            <>
              {' '}
              ·{' '}
              <span className="whole" data-tone="bad">
                {text('product.dearer', { difference: money(difference, currency) })}
              </span>
            </>
          )}
          {stock !== null && (
            <>
              {' '}
              ·{' '}
              <span className="whole">
                {text('product.stock', { count: product.isSoldByWeight ? kilograms(stock) : stock })}
              </span>
            </>
          )}
        </span>
        {reason && (
          <span className="tag" data-reason={reason}>
            {text(`product.reason.${reason}`)}
          </span>
        )}
      </span>
    </button>
  );
}

type AmountProps = {
  chosen: Chosen;
  line: Line | undefined;
  currency: string;
  onBack(): void;
  onConfirm(amount: Extra): void;
};

function AmountStep({ chosen: { product, weight }, line, currency, onBack, onConfirm }: AmountProps) {
  const { text, language, money, number, kilograms } = useWording();
  const ordered = line?.item?.pricing.pricing_type === 'UNIT' ? line.item.pricing.quantity : 1;
  const [quantity, setQuantity] = useState(ordered);
  const field = useRef<WeightHandle>(null);
  const { sku, isSoldByWeight } = product;
  const name = nameOf(sku, language, undefined, { [sku]: product });
  const confirmWeight = (taken: number | undefined) => {
    if (taken !== undefined) onConfirm({ sku, quantity: null, weight: taken });
  };
  const confirm = () =>
    isSoldByWeight ? confirmWeight(field.current?.take()) : onConfirm({ sku, quantity, weight: null });
  const price = money(product.price, currency);
  const orderedWeight = line?.item?.pricing.pricing_type === 'KG' ? line.item.pricing.weight : undefined;
  return (
    <>
      <div className="line-head">
        <Picture url={product.picture} />
        <div className="line-text">
          <h3 dir="auto">{name}</h3>
          <p className="dim">{isSoldByWeight ? text('line.perKilogram', { price }) : text('line.each', { price })}</p>
          {orderedWeight !== undefined && <p>{text('product.ordered', { amount: kilograms(orderedWeight) })}</p>}
        </div>
      </div>
      {isSoldByWeight ? (
        <WeightField
          ref={field}
          label={text('line.weight', { name })}
          weight={weight ?? null}
          limits={{ min: 0.001, max: undefined }}
          onWeight={() => {}}
          onEnter={confirmWeight}
        />
      ) : (
        <Stepper
          shown={number(quantity)}
          lessLabel={text('product.decrease')}
          moreLabel={text('product.increase')}
          canLess={quantity > 1}
          canMore
          onLess={() => setQuantity(quantity - 1)}
          onMore={() => setQuantity(quantity + 1)}
        />
      )}
      <div className="choices">
        <button type="button" className="primary" onClick={confirm}>
          {text(line ? 'product.confirmReplace' : 'product.confirmAdd')}
        </button>
        <button type="button" onClick={onBack}>
          {text('product.change')}
        </button>
      </div>
    </>
  );
}
