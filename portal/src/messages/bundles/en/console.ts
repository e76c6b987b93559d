export { codes } from '../../en/codes.ts';
export { cancelReasons } from '../../en/cancel-reasons.ts';
export { consoleAlerts } from '../../en/console-alerts.ts';
export { consoleTexts } from '../../en/console.ts';
export { errors } from '../../en/errors.ts';
export { users } from '../../en/users.ts';
export { values } from '../../en/value-faults.ts';
export { webhooks } from '../../en/webhooks.ts';
