import type { CommandRow } from '../command.ts';
import { catalogCommands } from '../catalog/commands.ts';
import { completeCommand, completionCommands } from '../completion/commands.ts';
import { doctorCommand } from '../doctor/command.ts';
import { jobCommands } from '../jobs/commands.ts';
import { listenCommand } from '../listen/command.ts';
import { orderCommands } from '../orders/commands.ts';
import { simulateCommand } from '../simulate/command.ts';
import { triggerCommand } from '../trigger/command.ts';
import { promotionCommands } from '../promotions/commands.ts';
import { webhookCommands } from '../webhooks/commands.ts';
import { loginCommand } from './login.ts';
import { outletCommands } from './outlets.ts';
import { profileCommands } from './profile.ts';
import { tokenCommands } from './tokens.ts';
import { whoamiCommand } from './whoami.ts';

/** What the commands of a group have in common. */
export const commandGroups: Record<string, string> = {
  orders: 'List, pick, cancel and follow orders',
  catalog: 'Push, pull and compare prices and stock',
  promotions: 'Put, list and stop promotions',
  jobs: 'List, watch and download jobs',
  outlets: 'Open and close stores',
  webhooks: 'Set up webhooks, and look at deliveries',
  tokens: 'Create and revoke API tokens',
  profile: 'Manage the stored credentials',
};

/** Every command, in the order of the help. */
export const commands: readonly CommandRow[] = [
  listenCommand,
  triggerCommand,
  ...orderCommands,
  ...catalogCommands,
  ...promotionCommands,
  ...jobCommands,
  ...outletCommands,
  ...webhookCommands,
  ...tokenCommands,
  doctorCommand,
  simulateCommand,
  loginCommand,
  whoamiCommand,
  ...profileCommands,
  ...completionCommands,
  completeCommand(() => commands),
];
