import { fileColumns, type FileKind } from '@aisle/contract/file-columns';

/** The columns of the files that can be uploaded, as in the documentation. */
export const columns = {
  'column.sku': textOf('catalog', 'sku'),
  'column.price': textOf('catalog', 'price'),
  'column.quantity': textOf('catalog', 'quantity'),
  'column.active': textOf('catalog', 'active'),
  'column.maximum_sales_quantity': textOf('catalog', 'maximum_sales_quantity'),
  'column.barcode': textOf('catalog', 'barcode'),
  'column.title': textOf('products', 'title'),
  'column.description': textOf('products', 'description'),
  'column.barcodes': textOf('products', 'barcodes'),
  'column.categories': textOf('products', 'categories'),
  'column.images': textOf('products', 'images'),
  'column.is_sold_by_weight': textOf('products', 'is_sold_by_weight'),
  'column.base_weight': textOf('products', 'base_weight'),
  'column.average_weight_per_piece': textOf('products', 'average_weight_per_piece'),
  'column.minimum_starting_weight': textOf('products', 'minimum_starting_weight'),
  'column.type': textOf('promotions', 'type'),
  'column.display_name': textOf('promotions', 'display_name'),
  'column.start_time': textOf('promotions', 'start_time'),
  'column.end_time': textOf('promotions', 'end_time'),
  'column.vendors': textOf('promotions', 'vendors'),
  'column.discount_subtype': textOf('promotions', 'discount_subtype'),
  'column.discount_value': textOf('promotions', 'discount_value'),
  'column.max_quantity': textOf('promotions', 'max_quantity'),
  'column.activeInPromotion': textOf('promotions', 'active'),
  'column.purchased_quantity': textOf('promotions', 'purchased_quantity'),
  'column.discounted_quantity': textOf('promotions', 'discounted_quantity'),
  'column.max_discount_per_order': textOf('promotions', 'max_discount_per_order'),
  'column.max_items_per_order': textOf('promotions', 'max_items_per_order'),
  'column.global_limit': textOf('promotions', 'global_limit'),
} as const;

function textOf(kind: FileKind, name: string): string {
  return fileColumns[kind].find((column) => column.name === name)?.description.replaceAll('`', '') ?? '';
}
