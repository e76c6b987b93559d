export { deleteOldEvents, recordEvent } from './queries.ts';
