// Apart from the routes, so that pages need not load the validators.
export const workOrderTypes = ['payment', 'withdrawal', 'callback', 'account', 'billing', 'documents', 'other'] as const
export type WorkOrderType = (typeof workOrderTypes)[number]
/** What a work order can be linked to. */
export const workOrderSubjects = ['payment', 'withdrawal', 'callback'] as const
export type WorkOrderSubject = (typeof workOrderSubjects)[number]

export const workOrderLimits = {
  theme: 100,
  text: 4_000,
  pictures: 5,
  reopenSeconds: 7 * 86_400,
  picturesSeconds: 7 * 86_400,
} as const
