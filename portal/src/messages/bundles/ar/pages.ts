export { codes } from '../../ar/codes.ts';
export { credentials } from '../../ar/credentials.ts';
export { profile } from '../../ar/profile.ts';
export { webhooks } from '../../ar/webhooks.ts';
