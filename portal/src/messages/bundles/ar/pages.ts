export { codes } from '../../ar/codes.ts';
export { credentials } from '../../ar/credentials.ts';
export { deliveries } from '../../ar/deliveries.ts';
export { profile } from '../../ar/profile.ts';
export { requests } from '../../ar/requests.ts';
export { webhooks } from '../../ar/webhooks.ts';
