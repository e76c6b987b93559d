export { codes } from '../../ar/codes.ts';
export { consoleAlerts } from '../../ar/console-alerts.ts';
export { consoleTexts } from '../../ar/console.ts';
export { users } from '../../ar/users.ts';
export { webhooks } from '../../ar/webhooks.ts';
