import { defineCommand } from '../command.ts';
import { configPath, findProfile, readConfigFile, updateConfigFile } from '../config/config-file.ts';
import { findConnection, unknownProfile } from '../config/connection.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';

const list = defineCommand({
  name: 'profile list',
  summary: 'List the stored profiles',
  examples: ['profile list', 'profile list --json'],
  run(context) {
    const { current, profiles } = readConfigFile(context.terminal);
    const rows = Object.entries(profiles).map(([name, { url, token, client_id, store }]) => ({
      name,
      url,
      is_current: name === current,
      credentials: token === undefined ? `client ${client_id}` : `token ${token.slice(0, 12)}…`,
      store: store ?? null,
    }));
    context.show(rows, () => {
      if (rows.length === 0) return 'There are no profiles yet. Run aisle login to create one.';
      const columns = [
        { title: '' },
        { title: 'PROFILE' },
        { title: 'SERVER', flexible: true as const },
        { title: 'CREDENTIALS', flexible: true as const },
        { title: 'STORE' },
      ];
      return context.table(
        columns,
        rows.map((row) => [row.is_current ? '*' : '', row.name, row.url, row.credentials, row.store ?? '']),
      );
    });
    if (rows.length > 0) context.note(context.paint('dim', `Stored in ${configPath(context.terminal)}`));
  },
});

const use = defineCommand<object, [string]>({
  name: 'profile use',
  args: [{ name: '<name>', description: 'the name of a profile' }],
  summary: 'Use a profile by default',
  examples: ['profile use staging'],
  run(context, _options, name) {
    updateConfigFile(context.terminal, (file) => {
      if (!findProfile(file, name)) throw unknownProfile(name, Object.keys(file.profiles));
      return { ...file, current: name };
    });
    context.show({ current: name }, () => `${context.paint('green', '✓')} Using the profile ${name}.`);
  },
});

const setStore = defineCommand<object, [string]>({
  name: 'profile set-store',
  args: [{ name: '<store>', description: 'the store, by its platform id or your own number' }],
  summary: 'Set the default store of the current profile',
  examples: ['profile set-store 1001', 'profile set-store s8ym --profile staging'],
  async run(context, _options, store) {
    const name = currentName(context);
    // An unknown profile is an error.
    findConnection(context.terminal, { profile: name });
    // An unknown store is an error now, not in the next command.
    const found = await context.client().getOutletStatus({ params: { vendor_id: store } });
    updateConfigFile(context.terminal, (file) => {
      const profile = findProfile(file, name);
      if (!profile) throw unknownProfile(name, Object.keys(file.profiles));
      return { ...file, profiles: { ...file.profiles, [name]: { ...profile, store } } };
    });
    const text = `${context.paint('green', '✓')} The default store of the profile ${name} is ${store}.`;
    context.show({ profile: name, store: found.vendor_id }, () => text);
  },
});

const remove = defineCommand<object, [string]>({
  name: 'profile remove',
  args: [{ name: '<name>', description: 'the name of a profile' }],
  summary: 'Delete a profile with its credentials',
  details: 'Deletes a profile with its credentials from this computer. To revoke the token, use aisle tokens revoke.',
  examples: ['profile remove staging'],
  run(context, _options, name) {
    updateConfigFile(context.terminal, (file) => {
      if (!findProfile(file, name)) throw unknownProfile(name, Object.keys(file.profiles));
      const { [name]: _removed, ...profiles } = file.profiles;
      const { current, ...rest } = file;
      return { ...rest, ...(current !== name && current && { current }), profiles };
    });
    context.show({ removed: name }, () => `${context.paint('green', '✓')} Deleted the profile ${name}.`);
  },
});

export const profileCommands = [list, use, setStore, remove];

function currentName({ options, terminal }: Context): string {
  const name = options.profile || terminal.env['AISLE_PROFILE'] || readConfigFile(terminal).current;
  if (options.demo || name === undefined) {
    throw new UsageError('A default store is stored in a profile.', 'Run aisle login first.');
  }
  return name;
}
