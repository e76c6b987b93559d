import type { cancelReasons as english } from '../en/cancel-reasons.ts';
import type { Translation } from '../message.ts';

export const cancelReasons: Translation<keyof typeof english> = {
  'code.CERTIFICATION': 'Πιστοποίηση',
  'code.CHANGED_MIND': 'Αλλαγή γνώμης',
  'code.TEST_ORDER': 'Δοκιμαστική παραγγελία',
  'code.RIDER_ACCIDENT': 'Ατύχημα διανομέα',
};
