import { defineCommand } from '../command.ts';

export const whoamiCommand = defineCommand({
  name: 'whoami',
  summary: 'Show the credentials in use and what they allow',
  examples: ['whoami', 'whoami --demo', 'whoami --json --profile staging'],
  async run(context) {
    const { url, source, store } = context.connection();
    const who = await context.client().whoami();
    context.show({ ...who, url, source }, () =>
      context.fields([
        ['Server', url],
        ['Credentials', `${who.name} (${who.kind.toLowerCase()}, from ${source})`],
        ['Chain', `${who.chain.name} (${who.chain.chain_id})`],
        ['Validation', who.chain.profile],
        ['Stores', who.vendor_ids === null ? 'all' : who.vendor_ids.join(', ')],
        ['Default store', store],
        ['Scopes', who.scopes.join(' ')],
        ['Expires', who.expires_at === null ? 'never' : context.relative(who.expires_at)],
      ]),
    );
  },
});
