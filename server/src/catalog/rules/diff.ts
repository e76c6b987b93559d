/** The comparison of a chunk with the catalog. */
export type Diff = {
  /** The rows for `readDiffRows`. */
  text: string;
  /** The states of the rows, one letter each. */
  states: string;
  /** The number of rows that change stock, and of those that set it to 0. */
  stockChanges: number;
  emptied: number;
};

/**
 * A valid item of a chunk with the values before and after it is applied. Empty text stands for null, and both values
 * are empty if the item does not change them.
 */
export type DiffRow = {
  rowNo: number;
  /** `U` if the item changes something, `=` if it does not, `N` if the vendor does not have the product. */
  state: string;
  sku: string;
  name: string;
  oldPrice: string;
  newPrice: string;
  oldQuantity: string;
  newQuantity: string;
  oldActive: string;
  newActive: string;
  oldMaximum: string;
  newMaximum: string;
  oldBarcode: string;
  newBarcode: string;
  /** Whether an earlier chunk has the same SKU. */
  isRepeated: boolean;
};

/** Yields the rows one by one. Ten thousand objects at once would keep the garbage collector busy. */
export function* readDiffRows({ text }: Pick<Diff, 'text'>): Generator<DiffRow> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\x1e', from);
    const to = end < 0 ? text.length : end;
    yield readRow(text.slice(from, to));
    from = to + 1;
  }
}

function readRow(text: string): DiffRow {
  const [
    rowNo = '',
    state = '',
    sku = '',
    name = '',
    oldPrice = '',
    newPrice = '',
    oldQuantity = '',
    newQuantity = '',
    oldActive = '',
    newActive = '',
    oldMaximum = '',
    newMaximum = '',
    oldBarcode = '',
    newBarcode = '',
    repeated = '',
  ] = text.split('\x1f');
  return {
    rowNo: Number(rowNo),
    state,
    sku,
    name,
    oldPrice,
    newPrice,
    oldQuantity,
    newQuantity,
    oldActive,
    newActive,
    oldMaximum,
    newMaximum,
    oldBarcode,
    newBarcode,
    isRepeated: repeated !== '',
  };
}
