export { codes } from '../../en/codes.ts';
export { credentials } from '../../en/credentials.ts';
export { deliveries } from '../../en/deliveries.ts';
export { profile } from '../../en/profile.ts';
export { requests } from '../../en/requests.ts';
export { webhooks } from '../../en/webhooks.ts';
