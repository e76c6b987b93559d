// In a separate file, so that threads do not load the schemas.

/** The maximum length of a SKU in characters. */
export const skuLength = 64;

/** The maximum number of items of each status in the response of a job. The file contains all of them. */
export const maxFeedback = 1000;

/** The maximum of an integer column, and the maximum amount of money. */
export const maxInteger = 2_147_483_647;
export const maxMoney = 9_999_999.999;
