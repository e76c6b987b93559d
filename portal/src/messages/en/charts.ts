/** The charts of the start page. */
export const charts = {
  'charts.orders': 'Orders',
  'charts.total': '{total} in {14} days',
  'charts.noOrders': 'No orders in the last {14} days.',
  'charts.done': 'Delivered or collected',
  'charts.open': 'Open',
  'charts.cancelled': 'Cancelled',
  'charts.picking': 'Picking',
  'charts.noItems': 'No items picked in the last {14} days.',
  'charts.picked': 'Picked as ordered',
  'charts.missing': 'Not found',
  'charts.replaced': 'Replaced',
} as const;
