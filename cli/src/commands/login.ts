import type { Whoami } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { checkName, type Profile, updateConfigFile } from '../config/config-file.ts';
import { checkUrl, findConnection } from '../config/connection.ts';
import { connect, type Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { createPrompt } from '../terminal/prompt.ts';
import { plain } from '../terminal/text.ts';

type Options = { clientId?: string; store?: string; platformToken?: boolean };

export const loginCommand = defineCommand<Options>({
  name: 'login',
  summary: 'Store credentials for a server',
  details:
    'Stores credentials in your config folder, in a file that only you can read, and uses them from now on. Asks for an API token, which you create in the portal, or for the client secret if --client-id is given. The token is also read from AISLE_TOKEN or from a pipe. With --profile, you can store credentials for several servers or chains.',
  options: [
    { flags: '--client-id <id>', description: 'log in with client credentials instead of an API token' },
    { flags: '-s, --store <store>', description: 'the default store for commands that need one' },
    { flags: '--platform-token', description: 'also ask for a platform token, for simulate and trigger' },
  ],
  examples: [
    'login --url https://aisle.example.com',
    'login --demo',
    'login --profile staging --url https://staging.example.com --store 1001',
    'login --url https://aisle.example.com < token.txt',
  ],
  async run(context, options) {
    const name = checkName(nameOf(context));
    const profile = await readProfile(context, options);
    const { signal } = context.terminal;
    // Nothing is stored unless the credentials work.
    const who = await connect({ ...profile, source: name }, signal).whoami();
    if (profile.platform_token !== undefined) {
      const operator = { url: profile.url, token: profile.platform_token, source: name };
      await connect(operator, signal).platformListChains();
    }
    updateConfigFile(context.terminal, (file) => ({
      ...file,
      current: name,
      profiles: { ...file.profiles, [name]: profile },
    }));
    context.show({ profile: name, url: profile.url, chain_id: who.chain.chain_id, name: who.name }, () =>
      loggedIn(context, name, profile, who),
    );
  },
});

function nameOf({ options, terminal }: Context): string {
  return options.profile || terminal.env['AISLE_PROFILE'] || (options.demo ? 'demo' : 'default');
}

async function readProfile(context: Context, { clientId, store, platformToken }: Options): Promise<Profile> {
  const { terminal, options } = context;
  const withStore = store === undefined ? {} : { store };
  if (options.demo) {
    const { url, token = '', store: first, platform_token } = findConnection(terminal, { demo: true });
    const isStored = platformToken && platform_token !== undefined;
    return {
      url,
      token,
      ...(first !== undefined && { store: first }),
      ...withStore,
      ...(isStored && { platform_token }),
    };
  }
  const { AISLE_TOKEN: token, AISLE_URL: givenUrl } = terminal.env;
  const prompt = createPrompt(terminal);
  const askPlatform = async () =>
    platformToken && {
      platform_token:
        terminal.env['AISLE_PLATFORM_TOKEN'] || required(await prompt.askSecret('Platform token: '), 'platform token'),
    };
  try {
    const url = checkUrl(options.url || givenUrl || (await askUrl(context, prompt.ask)));
    const common = { url, ...withStore };
    if (clientId !== undefined) {
      const client_secret = required(await prompt.askSecret('Client secret: '), 'client secret');
      return { ...common, client_id: clientId, client_secret, ...(await askPlatform()) };
    }
    const given = token || required(await prompt.askSecret('API token: '), 'token');
    return { ...common, token: given, ...(await askPlatform()) };
  } finally {
    prompt.close();
  }
}

/** A pipe contains the token only. */
async function askUrl({ terminal }: Context, ask: (question: string) => Promise<string>): Promise<string> {
  const local = 'http://127.0.0.1:8080';
  if (!terminal.stdin.isTTY) throw new UsageError('Which server? Add --url, or set AISLE_URL.');
  return (await ask(`Server [${local}]: `)) || local;
}

function required(text: string, what: string): string {
  if (text === '') throw new UsageError(`The ${what} is empty.`);
  return text;
}

function loggedIn({ paint }: Context, name: string, { url }: Profile, who: Whoami): string {
  return `${paint('green', '✓')} Logged in to ${plain(who.chain.name)} at ${url} as "${plain(who.name)}" (profile ${name}).`;
}
