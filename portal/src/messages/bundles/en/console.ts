export { codes } from '../../en/codes.ts';
export { consoleAlerts } from '../../en/console-alerts.ts';
export { consoleTexts } from '../../en/console.ts';
export { users } from '../../en/users.ts';
export { webhooks } from '../../en/webhooks.ts';
