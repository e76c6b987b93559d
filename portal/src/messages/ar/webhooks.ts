import type { webhooks as english } from '../en/webhooks.ts';
import type { Translation } from '../message.ts';

export const webhooks: Translation<keyof typeof english> = {
  'webhooks.title': 'إشعارات Webhook',
};
