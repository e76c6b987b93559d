// A separate file, so that worker threads do not have to load the schemas.

/** The maximum length of a SKU in characters. */
export const skuLength = 64;

/** The maximum number of items of each status in a job response. The result file contains all of them. */
export const maxFeedback = 1000;

/** The maximum value of an `integer` column. */
export const maxInteger = 2_147_483_647;

/** The maximum amount of money. */
export const maxMoney = 9_999_999.999;
