/** Reasons that Aisle itself gives when it cancels an order of the sandbox, the demo or a certification. */
export const cancelReasons = {
  'code.CERTIFICATION': 'Certification',
  'code.CHANGED_MIND': 'Changed mind',
  'code.TEST_ORDER': 'Test order',
  'code.RIDER_ACCIDENT': 'Rider accident',
} as const;
