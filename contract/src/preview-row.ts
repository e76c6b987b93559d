import Type from 'typebox';
import { Nullable, OneOf } from './common.ts';

export const previewClasses = ['ERROR', 'SUSPICIOUS', 'DUPLICATE', 'CHANGED', 'UNCHANGED'] as const;
export const changedFields = ['price', 'quantity', 'active', 'maximum_sales_quantity', 'barcode'] as const;

/** The maximum length of a name in a preview, in characters. Titles can be much longer. */
export const previewNameLength = 200;

export const PreviewClass = OneOf(previewClasses, {
  description:
    'ERROR: the item cannot be applied. SUSPICIOUS: the item can be applied, but may be a mistake (see `code`). DUPLICATE: the SKU occurs more than once. CHANGED and UNCHANGED: all other items.',
});
const code =
  'Why the item is in its class: a code as in a result file, or `price_jump` (the price changes by half or more), `price_to_zero`, `stock_to_zero` (most of the stock in this part of the upload becomes 0) or `repeated_sku` (an earlier row has the same SKU; this row is used). Null if there is nothing to report.';

/** A row in the file of a preview, as JSON. Values of fields that do not change are null. */
export const PreviewRow = Type.Object({
  class: PreviewClass,
  sku: Nullable(Type.String({ description: 'The SKU as it was sent; null if the item had none.' })),
  name: Nullable(
    Type.String({
      description: `The name of the product, shortened to ${previewNameLength} characters; null if the store does not have it. In the file, it is also missing for items that cannot be applied.`,
    }),
  ),
  rowNumber: Type.Integer({ description: 'The position of the item, as in the result file of a job.' }),
  code: Nullable(Type.String({ description: code })),
  errors: Nullable(Type.String({ description: 'The reason as text; null if there is none.' })),
  changes: Nullable(Type.String({ description: 'The names of the fields that change, separated by spaces.' })),
  old_price: Nullable(Type.Number({ description: 'The price before the change.' })),
  new_price: Nullable(Type.Number({ description: 'The price after the change.' })),
  price_change_percent: Nullable(
    Type.Number({ description: 'The change in percent of the old price; null if that was 0.' }),
  ),
  old_quantity: Nullable(Type.Integer({ description: 'The stock before the change; null if unknown.' })),
  new_quantity: Nullable(Type.Integer({ description: 'The stock after the change; null if unknown.' })),
  old_active: Nullable(Type.Boolean({ description: 'Whether the product is active before the change.' })),
  new_active: Nullable(Type.Boolean({ description: 'Whether the product is active after the change.' })),
  old_maximum_sales_quantity: Nullable(Type.Integer({ description: 'The maximum before the change.' })),
  new_maximum_sales_quantity: Nullable(Type.Integer({ description: 'The maximum after the change.' })),
  old_barcode: Nullable(Type.String({ description: 'The barcodes before the change, separated by commas.' })),
  new_barcode: Nullable(Type.String({ description: 'The barcode after the change.' })),
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
});
