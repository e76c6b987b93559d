export { linkToSupervisor, type Member, type SupervisorLink } from './member.ts';
export type { ListenerName } from './messages.ts';
export type { ProcessKind } from './supervised-process.ts';
export { createSupervisor, type Supervisor } from './supervisor.ts';
