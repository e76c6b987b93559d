/** The comment of a test order of a certification starts with this. */
export const certificationComment = 'Certification: ';

/** What happens in a step of a certification. */
export const stepCodes = [
  'place',
  'place_held',
  'place_forged',
  'place_stale',
  'cancel',
  'fulfil_elsewhere',
  'send_again',
  'send_late',
  'retry_signed',
  'retry_now',
  'send_held',
  'accept_received',
  'accept_fulfilled',
  'accept_cancelled',
  'reject_forged',
  'reject_stale',
  'fulfil',
  'cancel_by_store',
  'conflict',
  'ignore_duplicate',
  'ignore_late',
  'stop_work',
  'no_repeat',
] as const;

/** What happened instead of what was expected, or as expected. */
export const actualCodes = [
  'no_message',
  'no_response',
  'response',
  'order_status',
  'put_rejected',
  'still_open',
  'still_open_after_put',
  'no_put_in_time',
  'put_response',
  'put_received',
  'no_put',
  'not_recorded',
  'no_webhook',
] as const;
