export { webhooks } from '../../ar/webhooks.ts';
