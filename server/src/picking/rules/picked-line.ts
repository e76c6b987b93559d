import type { MarkInput } from '@aisle/contract/picking-state';
import { parseTime } from '../../kernel/values/time.ts';
import type { NewLine } from '../queries.ts';

type Marker = { actor: string; name: string };

/** The line as the mark leaves it. */
export function lineOf(mark: MarkInput, lineNo: number, { actor, name }: Marker): NewLine {
  const { replacement } = mark;
  return {
    line_id: mark.line_id,
    line_no: lineNo,
    state: mark.state,
    quantity: mark.quantity ?? null,
    weight: mark.weight ?? null,
    sku: mark.sku ?? null,
    replacement_sku: replacement?.sku ?? null,
    replacement_quantity: replacement?.quantity ?? null,
    replacement_weight: replacement?.weight ?? null,
    scanned_codes: mark.scanned_codes ?? [],
    mark_id: mark.mark_id,
    // The contract has checked the format.
    marked_at: parseTime(mark.marked_at) as Date,
    actor,
    actor_name: name,
  };
}

/** The last mark of each line, in the order of the lines' first marks. A mark that is sent twice counts once. */
export function lastMarks(marks: readonly MarkInput[], newIds: ReadonlySet<string>): MarkInput[] {
  const open = new Set(newIds);
  const last = new Map<string, MarkInput>();
  for (const mark of marks) if (open.delete(mark.mark_id.toLowerCase())) last.set(mark.line_id, mark);
  return [...last.values()];
}
