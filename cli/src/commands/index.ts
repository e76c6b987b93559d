import type { CommandRow } from '../command.ts';
import { completeCommand, completionCommands } from '../completion/commands.ts';
import { listenCommand } from '../listen/command.ts';
import { orderCommands } from '../orders/commands.ts';
import { triggerCommand } from '../trigger/command.ts';
import { loginCommand } from './login.ts';
import { profileCommands } from './profile.ts';
import { whoamiCommand } from './whoami.ts';

/** What the commands of a group have in common. */
export const commandGroups: Record<string, string> = {
  orders: 'List, pick, cancel and follow orders',
  profile: 'Manage the stored credentials',
};

/** Every command, in the order of the help. */
export const commands: readonly CommandRow[] = [
  loginCommand,
  whoamiCommand,
  ...profileCommands,
  listenCommand,
  triggerCommand,
  ...orderCommands,
  ...completionCommands,
  completeCommand(() => commands),
];
