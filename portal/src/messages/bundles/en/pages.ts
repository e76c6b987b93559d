export { codes } from '../../en/codes.ts';
export { credentials } from '../../en/credentials.ts';
export { profile } from '../../en/profile.ts';
export { webhooks } from '../../en/webhooks.ts';
