import type { cancelReasons as english } from '../en/cancel-reasons.ts';
import type { Translation } from '../message.ts';

export const cancelReasons: Translation<keyof typeof english> = {
  'code.CERTIFICATION': 'Certificación',
  'code.CHANGED_MIND': 'Cambio de opinión',
  'code.TEST_ORDER': 'Pedido de prueba',
  'code.RIDER_ACCIDENT': 'Accidente del repartidor',
};
