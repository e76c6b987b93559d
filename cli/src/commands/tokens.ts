import { type ApiToken, type ApiTokenInput, scopes as allScopes } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { durationOf, idOf, limitOption, listOf, pageSize, take } from './options.ts';

const list = defineCommand<{ limit: number }>({
  name: 'tokens list',
  summary: 'List API tokens',
  options: [limitOption],
  examples: ['tokens list', 'tokens list --json'],
  async run(context, { limit }) {
    const tokens = await take(context.client().listTokens.all({ query: { page_size: pageSize(limit) } }), limit);
    context.show(tokens, () => tokensTable(context, tokens));
  },
});

type Scopes = NonNullable<ApiTokenInput['scopes']>;
type CreateOptions = { scopes?: Scopes; stores?: string[]; expiresIn?: number };

const create = defineCommand<CreateOptions, [string]>({
  name: 'tokens create',
  args: [{ name: '<name>', description: 'what the token is for' }],
  summary: 'Create an API token',
  details: 'Creates an API token and prints it once. By default, it has all of your scopes except manage.',
  options: [
    {
      flags: '--scopes <scopes>',
      description: 'the scopes, separated by commas; aisle whoami shows yours',
      parse: scopesOf,
    },
    { flags: '--stores <stores>', description: 'only these stores, separated by commas', parse: listOf },
    {
      flags: '--expires-in <duration>',
      description: 'such as 12h or 90d; default: never',
      parse: (text) => durationOf('--expires-in', text),
    },
  ],
  examples: [
    'tokens create "Stock upload" --scopes catalog:read,catalog:write',
    'tokens create "Picking device" --stores 1001 --expires-in 90d',
  ],
  async run(context, { scopes, stores, expiresIn }, name) {
    const expires_at =
      expiresIn === undefined ? undefined : new Date(context.terminal.now().getTime() + expiresIn).toISOString();
    const created = await context.client().createToken({ body: { name, scopes, vendor_ids: stores, expires_at } });
    context.show(created, () => created.token);
    context.note(context.paint('dim', 'Store the token now; it is not shown again.'));
  },
});

const revoke = defineCommand<object, [string]>({
  name: 'tokens revoke',
  args: [{ name: '<token-id>', description: 'the id of the token, from tokens list' }],
  summary: 'Revoke an API token',
  examples: ['tokens revoke 7b0c2b6e-6a53-4f0e-9d51-0f6a2f1a7c11'],
  async run(context, _options, token_id) {
    const params = { token_id: idOf('token', token_id, 'aisle tokens list shows the tokens with their ids.') };
    const result = await context.client().deleteToken({ params });
    context.show(result, () => `${context.paint('green', '✓')} Revoked.`);
  },
});

export const tokenCommands = [list, create, revoke];

function scopesOf(text: string): Scopes {
  const given = listOf(text);
  const unknown = given.find((one) => !(allScopes as readonly string[]).includes(one));
  if (unknown === undefined) return given as Scopes;
  throw new UsageError(`${unknown} is not a scope.`, `Scopes: ${allScopes.join(', ')}`);
}

function tokensTable(context: Context, tokens: readonly ApiToken[]): string {
  return context.table(
    [
      { title: 'ID' },
      { title: 'NAME', flexible: true },
      { title: 'SCOPES', flexible: true },
      { title: 'LAST USED' },
      { title: 'EXPIRES' },
    ],
    tokens.map(({ token_id, name, scopes, last_used_at, expires_at }) => [
      token_id,
      name,
      scopes.join(' '),
      last_used_at === null ? 'never' : context.relative(last_used_at),
      expires_at === null ? 'never' : context.relative(expires_at),
    ]),
  );
}
