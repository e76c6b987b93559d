export { webhooks } from '../../en/webhooks.ts';
