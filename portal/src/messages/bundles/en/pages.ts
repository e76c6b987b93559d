export { codes } from '../../en/codes.ts';
export { webhooks } from '../../en/webhooks.ts';
