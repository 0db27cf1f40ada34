import { accountHandlers } from './account-routes.ts'
import { alertHandlers } from './alert-routes.ts'
import { announcementHandlers } from './announcement-routes.ts'
import type { ConsoleHandlers } from './context.ts'
import { decisionHandlers } from './decision-routes.ts'
import { incidentHandlers } from './incident-routes.ts'
import { lookupHandlers } from './lookup-routes.ts'
import { merchantHandlers } from './merchant-routes.ts'
import { operationHandlers } from './operation-routes.ts'
import { refundQueueHandlers } from './refund-routes.ts'
import { releaseHandlers } from './release-routes.ts'
import { withdrawalQueueHandlers } from './withdrawal-routes.ts'
import { workOrderQueueHandlers } from './work-order-routes.ts'

/**
 * One handler for each call of an operator, for the console and the command line. A missing handler is a compile error.
 */
export const operatorHandlers: ConsoleHandlers = {
  ...accountHandlers,
  ...alertHandlers,
  ...merchantHandlers,
  ...lookupHandlers,
  ...withdrawalQueueHandlers,
  ...refundQueueHandlers,
  ...releaseHandlers,
  ...workOrderQueueHandlers,
  ...announcementHandlers,
  ...operationHandlers,
  ...incidentHandlers,
  ...decisionHandlers,
}
