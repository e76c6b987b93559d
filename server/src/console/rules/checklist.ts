import type { checklistSteps } from '@aisle/contract/onboarding';
import type { ChecklistCounts } from '../checklist-queries.ts';

type Step = { step: (typeof checklistSteps)[number]; is_done: boolean; count: number };

/** What a chain needs before customers can order from it, in the order in which it is usually done. */
export function checklistOf(counts: ChecklistCounts): Step[] {
  const step = (name: Step['step'], count: number): Step => ({ step: name, is_done: count > 0, count });
  return [
    step('stores', counts.stores),
    step('categories', counts.categories),
    step('users', counts.users),
    step('credentials', counts.credentials),
    step('webhook', counts.webhooks),
    step('products', counts.products),
    step('order', counts.orders),
  ];
}
