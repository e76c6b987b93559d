export { codes } from '../../ar/codes.ts';
export { webhooks } from '../../ar/webhooks.ts';
