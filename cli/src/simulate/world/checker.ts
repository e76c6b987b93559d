import { checkClosings } from './checks/closings.ts';
import { checkCopies } from './checks/copies.ts';
import { checkDeliveries } from './checks/deliveries.ts';
import { checkEvents } from './checks/events.ts';
import { checkOrders } from './checks/orders.ts';
import { checkCatalog, checkPresence, checkPromotions, checkStock } from './checks/stock.ts';
import { checkWrites } from './checks/writes.ts';
import type { Evidence } from './evidence.ts';
import type { History, Violation } from './history.ts';

/** Compares the history with what is stored at the end, and returns everything that is wrong. */
export function findViolations(history: History, evidence: Evidence): Violation[] {
  return [
    ...history.violations,
    ...checkWrites(history, evidence),
    ...checkClosings(history),
    ...checkEvents(history, evidence),
    ...checkDeliveries(history, evidence),
    ...checkPresence(evidence),
    ...checkStock(evidence),
    ...checkCatalog(history, evidence),
    ...checkPromotions(evidence),
    ...checkOrders(history, evidence),
    ...checkCopies(evidence),
  ];
}
