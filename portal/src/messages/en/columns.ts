/** The columns of the files that can be uploaded. The texts are those of the documentation. */
export const columns = {
  'column.sku': 'The SKU.',
  'column.price': 'The price per unit, or per KG for products sold by weight.',
  'column.quantity': 'The stock, a whole number. null means unknown.',
  'column.active': 'Whether the product can be ordered: true, yes, y, 1 or on; false, no, n, 0 or off.',
  'column.maximum_sales_quantity': 'The maximum quantity per order, a whole number. null removes the maximum.',
  'column.barcode': 'The barcode, 1 to 14 digits.',
  'column.title': "The title in the store's locale. Add a locale for other languages, for example title_ar_AE.",
  'column.description':
    "The description in the store's locale. Add a locale for other languages, for example description_ar_AE.",
  'column.barcodes': 'The barcodes, 1 to 14 digits each, separated by |.',
  'column.categories': 'The global ids of the categories, separated by |.',
  'column.images': 'The https URLs of the images, separated by |.',
  'column.is_sold_by_weight': 'Whether the price is per KG.',
  'column.base_weight': 'The weight that the price refers to, in KG.',
  'column.average_weight_per_piece': 'The average weight of a piece, in KG.',
  'column.minimum_starting_weight': 'The smallest weight that can be ordered, in KG.',
  'column.type': 'STRIKETHROUGH or SAME_ITEM_BUNDLE. Must be the same in all rows.',
  'column.display_name':
    "The name in the first store's locale. Add a locale for others, for example display_name_en_SG. Must be the same in all rows.",
  'column.start_time':
    'When the promotion starts: an ISO 8601 time, in UTC if it has no offset. Must be the same in all rows.',
  'column.end_time': 'When the promotion ends. Must be the same in all rows.',
  'column.vendors':
    'The stores by platform id or external id, separated by |. Empty or * means all stores that the uploader can change. Must be the same in all rows.',
  'column.discount_subtype': 'FINAL_PRICE, ABSOLUTE or PERCENTAGE.',
  'column.discount_value': 'The discounted price, the amount off or the percentage off.',
  'column.max_quantity': 'The maximum number of discounted units of the SKU per order.',
  'column.activeInPromotion': 'false removes the SKU from the promotion.',
  'column.purchased_quantity': 'How many units a customer buys, for a bundle. Must be the same in all rows.',
  'column.discounted_quantity': 'How many of those units are discounted, for a bundle. Must be the same in all rows.',
  'column.max_discount_per_order': 'The maximum discount per order. Must be the same in all rows.',
  'column.max_items_per_order': 'The maximum number of discounted units per order. Must be the same in all rows.',
  'column.global_limit': 'The maximum number of discounted units in total. Must be the same in all rows.',
} as const;
