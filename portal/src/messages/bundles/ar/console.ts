export { codes } from '../../ar/codes.ts';
export { cancelReasons } from '../../ar/cancel-reasons.ts';
export { consoleAlerts } from '../../ar/console-alerts.ts';
export { consoleTexts } from '../../ar/console.ts';
export { errors } from '../../ar/errors.ts';
export { users } from '../../ar/users.ts';
export { values } from '../../ar/value-faults.ts';
export { webhooks } from '../../ar/webhooks.ts';
