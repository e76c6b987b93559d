import type { cancelReasons as english } from '../en/cancel-reasons.ts';
import type { Translation } from '../message.ts';

export const cancelReasons: Translation<keyof typeof english> = {
  'code.CERTIFICATION': 'Sertifikasyon',
  'code.CHANGED_MIND': 'Fikir değişikliği',
  'code.TEST_ORDER': 'Test siparişi',
  'code.RIDER_ACCIDENT': 'Kurye kazası',
};
