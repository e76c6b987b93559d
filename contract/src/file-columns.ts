import type { FileKind } from './file-kinds.ts';

/**
 * The columns of the CSV files that a chain can upload. Case, spaces, hyphens, underscores and dots in names are
 * ignored, so `Item code` is the same as `item_code`.
 */
export type FileColumn = {
  name: string;
  aliases: readonly string[];
  /** How a cell is read. The items of a list are separated by `|`. */
  type: 'text' | 'number' | 'boolean' | 'list';
  required?: true;
  /** Whether there can be one column per locale, for example `title_en_SG`. */
  isLocalized?: true;
  description: string;
  example: string;
};

const sku = {
  name: 'sku',
  aliases: ['article', 'article number', 'item', 'item code', 'item number', 'product code', 'material'],
  type: 'text',
  required: true,
  description: 'The SKU.',
  example: 'MLK-00012',
} as const satisfies FileColumn;

const offer = [
  {
    name: 'price',
    aliases: ['unit price', 'selling price', 'retail price', 'sales price'],
    type: 'number',
    description: 'The price per unit, or per KG for products sold by weight.',
    example: '12.50',
  },
  {
    name: 'quantity',
    aliases: ['stock', 'qty', 'stock quantity', 'on hand', 'inventory'],
    type: 'number',
    description: 'The stock, a whole number. `null` means unknown.',
    example: '40',
  },
  {
    name: 'active',
    aliases: ['available', 'is active', 'enabled', 'availability'],
    type: 'boolean',
    description: 'Whether the product can be ordered: true, yes, y, 1 or on; false, no, n, 0 or off.',
    example: 'true',
  },
  {
    name: 'maximum_sales_quantity',
    aliases: ['max sales quantity', 'max quantity', 'maximum quantity', 'order limit'],
    type: 'number',
    description: 'The maximum quantity per order, a whole number. `null` removes the maximum.',
    example: '10',
  },
] as const satisfies FileColumn[];

const barcode = {
  name: 'barcode',
  aliases: ['barcodes', 'ean', 'ean code', 'gtin', 'upc', 'piece barcode'],
  description: 'The barcode, 1 to 14 digits.',
  example: '4006381333931',
} as const;

const weights = [
  ['base_weight', 'The weight that the price refers to, in KG.'],
  ['average_weight_per_piece', 'The average weight of a piece, in KG.'],
  ['minimum_starting_weight', 'The smallest weight that can be ordered, in KG.'],
] as const;

const texts = [
  {
    name: 'title',
    aliases: ['name', 'product name', 'item name'],
    type: 'text',
    isLocalized: true,
    description: "The title in the store's locale. Add a locale for other languages, for example `title_ar_AE`.",
    example: 'Fresh milk 1 l',
  },
  {
    name: 'description',
    aliases: ['long text', 'details'],
    type: 'text',
    isLocalized: true,
    description:
      "The description in the store's locale. Add a locale for other languages, for example `description_ar_AE`.",
    example: 'Whole milk, 3.5 % fat',
  },
] as const satisfies FileColumn[];

const products = [
  ...texts,
  {
    ...barcode,
    name: 'barcodes',
    aliases: ['barcode', ...barcode.aliases],
    type: 'list',
    description: 'The barcodes, 1 to 14 digits each, separated by `|`.',
  },
  {
    name: 'categories',
    aliases: ['category', 'category ids', 'category id'],
    type: 'list',
    description: 'The global ids of the categories, separated by `|`.',
    example: '',
  },
  {
    name: 'images',
    aliases: ['image', 'image url', 'image urls', 'picture'],
    type: 'list',
    description: 'The https URLs of the images, separated by `|`.',
    example: '',
  },
  {
    name: 'is_sold_by_weight',
    aliases: ['sold by weight', 'weighted'],
    type: 'boolean',
    description: 'Whether the price is per KG.',
    example: 'false',
  },
  ...weights.map(
    ([name, description]) => ({ name, aliases: [], type: 'number', description, example: '' }) satisfies FileColumn,
  ),
] as const satisfies FileColumn[];

const promotionTexts = [
  {
    name: 'type',
    aliases: ['promotion type'],
    type: 'text',
    required: true,
    description: 'STRIKETHROUGH or SAME_ITEM_BUNDLE. Must be the same in all rows.',
    example: 'STRIKETHROUGH',
  },
  {
    name: 'display_name',
    aliases: ['name', 'promotion name', 'promotion'],
    type: 'text',
    isLocalized: true,
    description:
      "The name in the first store's locale. Add a locale for others, for example `display_name_en_SG`. Must be the same in all rows.",
    example: 'Weekend offer',
  },
  {
    name: 'start_time',
    aliases: ['start', 'starts at', 'valid from', 'from'],
    type: 'text',
    required: true,
    description:
      'When the promotion starts: an ISO 8601 time, in UTC if it has no offset. Must be the same in all rows.',
    example: '2027-05-01T00:00:00Z',
  },
  {
    name: 'end_time',
    aliases: ['end', 'ends at', 'valid to', 'valid until', 'to', 'until'],
    type: 'text',
    required: true,
    description: 'When the promotion ends. Must be the same in all rows.',
    example: '2027-05-08T00:00:00Z',
  },
  {
    name: 'vendors',
    aliases: ['stores', 'store', 'vendor', 'vendor ids'],
    type: 'list',
    description:
      'The stores by platform id or external id, separated by `|`. Empty or `*` means all stores that the uploader can change. Must be the same in all rows.',
    example: '',
  },
] as const satisfies FileColumn[];

const promotionEntries = [
  {
    name: 'discount_subtype',
    aliases: ['discount type', 'subtype'],
    type: 'text',
    description: 'FINAL_PRICE, ABSOLUTE or PERCENTAGE.',
    example: 'FINAL_PRICE',
  },
  {
    name: 'discount_value',
    aliases: ['discount', 'value', 'promotion price', 'offer price'],
    type: 'number',
    description: 'The discounted price, the amount off or the percentage off.',
    example: '9.90',
  },
  {
    name: 'max_quantity',
    aliases: ['maximum quantity'],
    type: 'number',
    description: 'The maximum number of discounted units of the SKU per order.',
    example: '',
  },
  {
    name: 'active',
    aliases: ['is active'],
    type: 'boolean',
    description: 'false removes the SKU from the promotion.',
    example: 'true',
  },
  ...(
    [
      ['purchased_quantity', 'How many units a customer buys, for a bundle. Must be the same in all rows.'],
      ['discounted_quantity', 'How many of those units are discounted, for a bundle. Must be the same in all rows.'],
      ['max_discount_per_order', 'The maximum discount per order. Must be the same in all rows.'],
      ['max_items_per_order', 'The maximum number of discounted units per order. Must be the same in all rows.'],
      ['global_limit', 'The maximum number of discounted units in total. Must be the same in all rows.'],
    ] as const
  ).map(
    ([name, description]) => ({ name, aliases: [], type: 'number', description, example: '' }) satisfies FileColumn,
  ),
] as const satisfies FileColumn[];

/** The columns by folder, in the order of the template. */
export const fileColumns: Record<FileKind, readonly FileColumn[]> = {
  catalog: [sku, ...offer, { ...barcode, type: 'text' }],
  products: [sku, ...products.slice(0, 3), ...offer, ...products.slice(3)],
  promotions: [...promotionTexts, sku, ...promotionEntries],
};

/** Columns that Aisle adds to the files it writes. They are ignored in an upload. */
export const ignoredColumns = ['reason', 'line'] as const;
