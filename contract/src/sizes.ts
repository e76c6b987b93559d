// A separate file, so that worker threads do not have to load the schemas.

/** The maximum length of a SKU in characters. */
export const skuLength = 64;

/** The maximum number of items of each status in a job response. The result file contains all of them. */
export const maxFeedback = 1000;

/** The maximum value of an `integer` column. */
export const maxInteger = 2_147_483_647;

/** The maximum amount of money. */
export const maxMoney = 9_999_999.999;

/** The maximum number of locales in a product's title or description. */
export const maxLocales = 50;

/** The maximum size of a product's texts and picture URLs together, in bytes of JSON. A page can contain 500 products. */
export const maxProductBytes = 256 * 1024;

/** The maximum length of a product's name in an order, in characters. Longer titles are cut. */
export const maxOrderName = 200;

/** The maximum size of all texts in the items of an order, in bytes of JSON. A page can contain 500 orders. */
export const maxOrderBytes = 512 * 1024;

/** An order without a promised time is late if the store needs more minutes than this to fulfil it. */
export const lateAfterMinutes = 20;
