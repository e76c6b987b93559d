import type { ItemStatus } from '@aisle/contract/order';
import { type Decimal, decimal, decimalText } from '../../kernel/values/decimal.ts';
import type { PromotionTerms } from '../../promotions/index.ts';

export type PricingType = 'UNIT' | 'KG';

/** How much of something, and what that costs before promotions. A KG line has quantity 1 and a weight. */
export type Amount = { quantity: number; weight: Decimal | null; unitPrice: Decimal; total: Decimal };

/** A line of an order: what was ordered, and what it is now. */
export type Line = {
  id: string;
  sku: string;
  name: string;
  barcodes: string[];
  image: string | null;
  instructions: string | null;
  status: ItemStatus;
  pricingType: PricingType;
  /** Bounds of what may be picked: units, or kilograms. */
  least: Decimal;
  most: Decimal;
  ordered: Amount;
  orderedDiscount: Decimal;
  picked: Amount;
  discount: Decimal;
  /** The promotion as it stood when the order was placed. */
  terms: PromotionTerms | null;
  replacedId: string | null;
  wish: { preference: string; suggestions: { sku: string; name: string }[] } | null;
  /** Units of known stock the order holds for this line; null where nothing is counted. */
  taken: number | null;
};

/** A line that has no id yet: the use case that stores it gives it one. */
export type NewLine = Omit<Line, 'id'>;

/** Lines the customer ordered, in contrast to replacements and additions. */
export function isOriginal(line: NewLine): boolean {
  return line.status !== 'ADDITION' && line.replacedId === null;
}

/** Lines the customer pays for. */
export function isBillable(line: Pick<Line, 'status'>): boolean {
  return line.status !== 'NOT_FOUND' && line.status !== 'REPLACED';
}

/** For people: which item is meant. */
export function nameOf(line: { sku: string; name: string; id?: string }): string {
  const sku = line.name === line.sku ? '' : ` (${line.sku})`;
  return `"${line.name}"${sku}`;
}

export type StoredAmount = { quantity: number; weight: string | null; unitPrice: string; total: string };
export type StoredLine = Omit<Line, 'least' | 'most' | 'ordered' | 'orderedDiscount' | 'picked' | 'discount'> & {
  least: string;
  most: string;
  ordered: StoredAmount;
  orderedDiscount: string;
  picked: StoredAmount;
  discount: string;
};

export function storeLine(line: Line): StoredLine {
  return {
    ...line,
    least: decimalText(line.least),
    most: decimalText(line.most),
    ordered: storeAmount(line.ordered),
    orderedDiscount: decimalText(line.orderedDiscount),
    picked: storeAmount(line.picked),
    discount: decimalText(line.discount),
  };
}

export function readLine(stored: StoredLine): Line {
  return {
    ...stored,
    least: decimal(stored.least),
    most: decimal(stored.most),
    ordered: readAmount(stored.ordered),
    orderedDiscount: decimal(stored.orderedDiscount),
    picked: readAmount(stored.picked),
    discount: decimal(stored.discount),
  };
}

function storeAmount({ quantity, weight, unitPrice, total }: Amount): StoredAmount {
  return {
    quantity,
    weight: weight === null ? null : decimalText(weight),
    unitPrice: decimalText(unitPrice),
    total: decimalText(total),
  };
}

function readAmount({ quantity, weight, unitPrice, total }: StoredAmount): Amount {
  return {
    quantity,
    weight: weight === null ? null : decimal(weight),
    unitPrice: decimal(unitPrice),
    total: decimal(total),
  };
}
