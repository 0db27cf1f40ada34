import { incidentRoutes } from '../incidents/operator.ts'
import type { ParsedRouteInput, RouteInput, RouteOutput } from '../kit/typed.ts'
import { merchantRoutes } from '../merchants/operator.ts'
import { announcementRoutes } from '../notifications/operator.ts'
import { lookupRoutes } from '../payments/operator.ts'
import { refundQueueRoutes } from '../refunds/operator.ts'
import { withdrawalQueueRoutes } from '../withdrawals/operator.ts'
import { releaseRoutes } from '../withdrawals/releases.ts'
import { operatorWorkOrderRoutes } from '../work-orders/operator.ts'
import { accountRoutes } from './account.ts'
import { alertRoutes } from './alerts.ts'
import { decisionRoutes } from './decisions.ts'
import { operationRoutes } from './operations.ts'
import { todayRoutes } from './today.ts'
import { walletRoutes } from './wallets.ts'

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
  ...todayRoutes,
  ...operationRoutes,
  ...walletRoutes,
  ...incidentRoutes,
  ...decisionRoutes,
  ...lookupRoutes,
}

export type OperatorRoutes = typeof operatorRoutes
export type OperatorKey = keyof OperatorRoutes
export type OperatorQuery<K extends OperatorKey> = RouteInput<OperatorRoutes[K], 'query'>
export type OperatorBody<K extends OperatorKey> = RouteInput<OperatorRoutes[K], 'body'>
export type OperatorParams<K extends OperatorKey> = RouteInput<OperatorRoutes[K], 'params'>
export type OperatorParsed<K extends OperatorKey, P extends 'query' | 'body' | 'params'> = ParsedRouteInput<
  OperatorRoutes[K],
  P
>
export type OperatorData<K extends OperatorKey> = RouteOutput<OperatorRoutes[K]>
