import Type from 'typebox';
import { defineTask } from '../kernel/background/queue.ts';

const Names = Type.Union([Type.Array(Type.String()), Type.Null()]);

/**
 * Resends failed deliveries. `before` is when this was requested; deliveries that changed later are left alone.
 * `position` is where the next slice starts.
 */
export const resendTask = defineTask('deliveries.resend', {
  vendor_ids: Names,
  types: Names,
  since: Type.String(),
  before: Type.String(),
  position: Type.Optional(Type.String()),
});
export type ResendPayload = ReturnType<typeof resendTask.readPayload>;
