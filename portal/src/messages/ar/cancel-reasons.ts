import type { cancelReasons as english } from '../en/cancel-reasons.ts';
import type { Translation } from '../message.ts';

export const cancelReasons: Translation<keyof typeof english> = {
  'code.CERTIFICATION': 'اعتماد التكامل',
  'code.CHANGED_MIND': 'غيّر العميل رأيه',
  'code.TEST_ORDER': 'طلب تجريبي',
  'code.RIDER_ACCIDENT': 'حادث للسائق',
};
