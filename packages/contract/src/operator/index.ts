import type { DataOf, GivenOf, ParsedOf } from '../typed.ts'
import { accountRoutes } from './account.ts'
import { alertRoutes } from './alerts.ts'
import { announcementRoutes } from './announcements.ts'
import { decisionRoutes } from './decisions.ts'
import { incidentRoutes } from './incidents.ts'
import { merchantRoutes } from './merchants.ts'
import { operationRoutes } from './operations.ts'
import { lookupRoutes } from './payments.ts'
import { refundQueueRoutes } from './refunds.ts'
import { releaseRoutes } from './releases.ts'
import { withdrawalQueueRoutes } from './withdrawals.ts'
import { operatorWorkOrderRoutes } from './work-orders.ts'

/** The calls of the operator's console, which has a port of its own. */
export const operatorRoutes = {
  ...accountRoutes,
  ...alertRoutes,
  ...merchantRoutes,
  ...withdrawalQueueRoutes,
  ...refundQueueRoutes,
  ...releaseRoutes,
  ...operatorWorkOrderRoutes,
  ...announcementRoutes,
  ...operationRoutes,
  ...incidentRoutes,
  ...decisionRoutes,
  ...lookupRoutes,
}

export type OperatorRoutes = typeof operatorRoutes
export type OperatorKey = keyof OperatorRoutes
export type OperatorQuery<K extends OperatorKey> = GivenOf<OperatorRoutes[K], 'query'>
export type OperatorBody<K extends OperatorKey> = GivenOf<OperatorRoutes[K], 'body'>
export type OperatorParams<K extends OperatorKey> = GivenOf<OperatorRoutes[K], 'params'>
export type OperatorParsed<K extends OperatorKey, P extends 'query' | 'body' | 'params'> = ParsedOf<
  OperatorRoutes[K],
  P
>
export type OperatorData<K extends OperatorKey> = DataOf<OperatorRoutes[K]>
