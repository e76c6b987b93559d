export { linkToSupervisor, type Member, type SupervisorLink } from './member.ts';
export type { ListenerName } from './messages.ts';
export { createSupervisor, type Supervisor } from './supervisor.ts';
