import { quoteCell } from '@aisle/contract/csv';
import type { Counts } from '../../jobs/index.ts';
import type { RevertRow } from '../revert-queries.ts';

/** What happened to a row of a revert. */
export type Outcome = {
  row_no: number;
  sku: string;
  state: 'UPDATED' | 'SUPERSEDED' | 'FAILED';
  code: 'changed_since' | 'superseded_by_single_update' | 'requires_all_vendors' | null;
  message: string;
};

export function outcomeOf({ row_no, sku, is_filled, kept, since }: RevertRow, isWritten: boolean): Outcome {
  const keptMessage = `A newer change by ${since ?? 'another request'} was kept: ${kept}.`;
  if (isWritten && kept === '') return { row_no, sku, state: 'UPDATED', code: null, message: '' };
  if (isWritten) return { row_no, sku, state: 'UPDATED', code: 'changed_since', message: keptMessage };
  if (!is_filled) return { row_no, sku, state: 'SUPERSEDED', code: 'changed_since', message: keptMessage };
  const message = 'A single update to this SKU was accepted after this job.';
  return { row_no, sku, state: 'SUPERSEDED', code: 'superseded_by_single_update', message };
}

/** Restoring a barcode changes the product in all stores. */
export function requiresAllVendors({ row_no, sku }: RevertRow): Outcome {
  const message = 'Restoring a barcode requires a credential that is not limited to some vendors.';
  return { row_no, sku, state: 'FAILED', code: 'requires_all_vendors', message };
}

/** `vendorId` is given if the job has several vendors. */
export function writeRevertLog(outcomes: Outcome[], vendorId: string | undefined): string {
  const end = vendorId === undefined ? '\n' : `,${quoteCell(vendorId)}\n`;
  return outcomes
    .map(({ row_no, sku, state, code, message }) => {
      return `${quoteCell(sku)},${code ?? ''},${state},${quoteCell(message)},${row_no},${end}`;
    })
    .join('');
}

export function countOutcomes(outcomes: Outcome[]): Counts {
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  return { succeeded: count('UPDATED'), unchanged: count('SUPERSEDED'), failed: count('FAILED') };
}
