import type { Warning } from '@aisle/contract/put-order';
import type { Approval, ApprovalTerms } from '@aisle/contract/approval';
import type { ItemStatus } from '@aisle/contract/order';
import { type Decimal, decimal, decimalText } from '../../kernel/values/decimal.ts';
import type { PromotionTerms } from '../../promotions/index.ts';

export type PricingType = 'UNIT' | 'KG';

/** A quantity and its price before promotions. A KG line has quantity 1 and a weight. */
export type Amount = { quantity: number; weight: Decimal | null; unitPrice: Decimal; total: Decimal };

/** A line item in an order, as ordered and in its current state. */
export type Line = {
  id: string;
  sku: string;
  name: string;
  barcodes: string[];
  image: string | null;
  instructions: string | null;
  status: ItemStatus;
  pricingType: PricingType;
  /** The smallest and largest amount that can be picked, in units or kilograms. */
  min: Decimal;
  max: Decimal;
  ordered: Amount;
  orderedDiscount: Decimal;
  picked: Amount;
  discount: Decimal;
  /** The terms of the promotion when the order was placed. */
  terms: PromotionTerms | null;
  replacedId: string | null;
  wish: { preference: string; suggestions: { sku: string; name: string }[] } | null;
  /** How the customer is asked about replacements, the same in all lines of an order. Absent if the store decides. */
  approvalTerms?: ApprovalTerms;
  /** The last question to the customer about a replacement. Absent if there was none. */
  approval?: Approval;
  /** Units of stock the order holds for this line; null if stock is not tracked. */
  taken: number | null;
  /** Warnings about the accepted request, returned again if the request is repeated. Absent if there are none. */
  warnings?: LineWarning[];
};

/** `pointer` is relative to the item in the request. */
export type LineWarning = Warning;

/** A line without an id; the use case that stores it assigns one. */
export type NewLine = Omit<Line, 'id'>;

/** Whether the customer ordered the line. Replacements and additions are not original. */
export function isOriginal(line: NewLine): boolean {
  return line.status !== 'ADDITION' && line.replacedId === null;
}

/** Whether the customer pays for the line. */
export function isBillable(line: Pick<Line, 'status'>): boolean {
  return line.status !== 'NOT_FOUND' && line.status !== 'REPLACED';
}

/** The item's name for messages, with its SKU unless the name and the SKU are the same. */
export function nameOf(line: { sku: string; name: string }): string {
  const sku = line.name === line.sku ? '' : ` (${line.sku})`;
  return `"${line.name}"${sku}`;
}

export type StoredAmount = { quantity: number; weight: string | null; unitPrice: string; total: string };
/** A line as stored in `orders.items`. Existing rows have these field names, so the fields cannot be renamed. */
export type StoredLine = Omit<Line, 'min' | 'max' | 'ordered' | 'orderedDiscount' | 'picked' | 'discount'> & {
  least: string;
  most: string;
  ordered: StoredAmount;
  orderedDiscount: string;
  picked: StoredAmount;
  discount: string;
};

export function toStoredLine({ min, max, ...line }: Line): StoredLine {
  return {
    ...line,
    least: decimalText(min),
    most: decimalText(max),
    ordered: toStoredAmount(line.ordered),
    orderedDiscount: decimalText(line.orderedDiscount),
    picked: toStoredAmount(line.picked),
    discount: decimalText(line.discount),
  };
}

export function readLine({ least, most, ...stored }: StoredLine): Line {
  return {
    ...stored,
    min: decimal(least),
    max: decimal(most),
    ordered: readAmount(stored.ordered),
    orderedDiscount: decimal(stored.orderedDiscount),
    picked: readAmount(stored.picked),
    discount: decimal(stored.discount),
  };
}

function toStoredAmount({ quantity, weight, unitPrice, total }: Amount): StoredAmount {
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
