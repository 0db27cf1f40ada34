import { codeNameOf, merchantStatus, withdrawalStatus, workOrderStatus } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { AuditedObjectKind } from '@coffer/contract/kit/operator-route.ts'
import { isOperatorChangeCall, type OperatorChangeCall } from '@coffer/contract/operator/calls.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { pausableQueues } from '@coffer/contract/operator/operations.ts'
import { pickMerchantTerms } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readApproversBySubject } from '../../kit/second-person.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { findCallbackOwner } from '../callbacks/store.ts'
import { readChainAssets } from '../chains/assets.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { listOpenIncidents, readChain, readRereadStart } from '../chains/store.ts'
import { readDeposit } from '../deposits/store.ts'
import { merchantByMchid } from '../merchants/store.ts'
import { readAnnouncement } from '../notifications/announce.ts'
import { beginOperatorAction, recordOperatorAction } from '../operators/action-log.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { operatorById } from '../operators/store.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { formatRefundSubject } from '../refunds/decide-refund.ts'
import { readAnyRefund } from '../refunds/store.ts'
import { formatWithdrawalSubject } from '../withdrawals/decide-withdrawal.ts'
import { readAnyWithdrawal } from '../withdrawals/list.ts'
import { readAnyWorkOrder } from '../work-orders/store.ts'
import { readAlertHookState } from './alert-hooks.ts'
import type { ConsoleHandlers } from './context.ts'

type Input = Record<string, unknown>
type Context = Visitor & { call?: string; deps: Deps; operator: OperatorSession; params?: Input; body?: Input }
type Handler = (context: Context) => Promise<unknown>
type Read = (deps: Deps, id: string) => Promise<object | undefined>

const readApproverNames = async (c: Queryable, subject: string) =>
  (await readApproversBySubject(c, [subject])).get(subject)?.map(each => each.email)

/** How the state of what a call changes is read, before and after. */
const states: Record<AuditedObjectKind, Read> = {
  operator: async ({ pool }, id) => {
    const found = await operatorById(pool, id)
    return found && { email: found.email, role: found.role, active: found.password_hash !== null }
  },
  merchant: async ({ pool }, id) => {
    const found = await merchantByMchid(pool, id.toUpperCase())
    if (!found) return undefined
    const { status, audit_reason, risk_level, frozen } = found
    const authenticator = found.authenticator_secret !== null
    return {
      status: codeNameOf(merchantStatus, status),
      audit_reason,
      risk_level,
      frozen,
      authenticator,
      ...pickMerchantTerms(found),
    }
  },
  chain: async ({ pool }, id) => {
    const found = await readChain(pool, id)
    return found && { halted: found.halted, read: found.last_number, reread_from: await readRereadStart(pool, id) }
  },
  asset: async ({ pool }, id) => {
    const found = (await readChainAssets(pool, id.split(':')[0]!)).get(id)
    return found && { hold: found.hold, compared: found.compared }
  },
  deposit: async ({ pool }, id) => {
    const found = await readDeposit(pool, id)
    const asset = found && (await readChainAssets(pool, found.chain_id)).get(found.asset_id)
    if (!found || !asset) return undefined
    const { trade_no, txid, state, doubted } = found
    const amount = formatDecimal(found.amount, asset.decimals)
    return { trade_no, txid, amount, token: asset.symbol, status: state, doubted }
  },
  wallet: async ({ pool }, id) => {
    const found = await walletOfRole(pool, id, 'hot')
    return found && { address: found.address, next_nonce: found.next_nonce, halted: found.halted }
  },
  queue: async ({ pool }, id) => {
    const queue = pausableQueues.find(each => each === id)
    return queue && { pause: (await readQueuePause(pool, queue)) ?? null }
  },
  incident: async ({ pool }, id) => {
    const open = (await listOpenIncidents(pool, null)).find(each => each.id === id)
    return { open: open !== undefined, ...(open && { kind: open.kind, detail: open.detail }) }
  },
  alert_hook: readAlertHookState,
  callback: async ({ pool }, id) => {
    const found = await findCallbackOwner(pool, id)
    return found && { status: found.status, attempts: found.attempts, result: found.result }
  },
  announcement: async ({ pool }, id) => {
    const found = await readAnnouncement(pool, id)
    return found && { title: found.texts.title_en, ends_at: found.ends_at, withdrawn: found.withdrawn }
  },
  work_order: async ({ pool }, id) => {
    const found = await readAnyWorkOrder(pool, id)
    return found && { mchid: found.mchid, theme: found.theme, status: codeNameOf(workOrderStatus, found.status) }
  },
  release: async ({ pool }, id) => {
    const found = await readAnyWithdrawal(pool, id)
    return found && { mchid: found.mchid, amount: found.amount, token: found.token, to_address: found.to_address }
  },
  refund: async ({ pool }, id) => {
    const found = await readAnyRefund(pool, id)
    if (!found) return undefined
    const { mchid, trade_no, receives, token, to_address, status, failure } = found
    const approvals = await readApproverNames(pool, formatRefundSubject(found))
    const state = { status: codeNameOf(withdrawalStatus, status), failure, approvals }
    return { mchid, trade_no, receives, token, to_address, ...state }
  },
  withdrawal: async ({ pool }, id) => {
    const found = await readAnyWithdrawal(pool, id)
    if (!found) return undefined
    const { mchid, amount, token, to_address, status, reason } = found
    const approvals = await readApproverNames(pool, formatWithdrawalSubject(found))
    return { mchid, amount, token, to_address, status: codeNameOf(withdrawalStatus, status), reason, approvals }
  },
}

const hostOf = (url: unknown) => (URL.canParse(String(url)) ? new URL(String(url)).host : '')

const prefix = '/api/operator/v1/'

const signIns = ['login', 'login/verification', 'login/passkey'].map(way => `POST ${prefix}public/${way}`)

/**
 * Wraps the handlers: each gets its call, and one that changes something is recorded before it runs, and again with its
 * outcome.
 */
export function recordCalls(handlers: ConsoleHandlers): ConsoleHandlers {
  const wrapped = Object.entries(handlers as unknown as Record<string, Handler>).map(([key, handle]) => {
    const handler: Handler = context => handle({ ...context, call: key })
    if (isOperatorChangeCall(key)) return [key, record(key, handler)]
    return [key, signIns.includes(key) ? recordRefused(handler) : handler]
  })
  return Object.fromEntries(wrapped)
}

function record(key: OperatorChangeCall, handler: Handler): Handler {
  const { object } = operatorRoutes[key]
  return async context => {
    const { deps, operator, params = {}, body = {} } = context
    // A signature says nothing to a reader of the log, and the URL of a hook or a device may hold a token.
    const { passkey, url = body.endpoint, endpoint: _, p256dh: __, auth: ___, ...given } = body
    const on = String(params.id ?? body.email ?? body.name ?? '')
    const state = async () => (on && object && ((await states[object](deps, on)) as Input | undefined)) || null
    // Secrets are in no body of these calls.
    const action = key.replace(prefix, '')
    // The command line has no address.
    const from = context.ip === '' ? null : context
    const end = await beginOperatorAction(deps, { by: operator, action, on, from }, await state())
    try {
      const answer = await handler(context)
      const shown = { ...(passkey !== undefined && { by: 'passkey' }), ...(url !== undefined && { host: hostOf(url) }) }
      const waits = (answer as { waits?: boolean } | undefined)?.waits === true
      await end({ ...given, ...shown, ...(await state()), ...(waits && { waits }) })
      return answer
    } catch (error) {
      if (error instanceof Refusal) await end({ ...given }, error.reason)
      throw error
    }
  }
}

/** Records a sign-in that was refused, within the limits of `signIn`. */
const recordRefused =
  (handler: Handler): Handler =>
  async context =>
    handler(context).catch(async error => {
      const by = context.operator ?? { operatorId: '', email: String(context.body?.email ?? '') }
      if (error instanceof Refusal && error.reason !== 'frequent_operation')
        await recordOperatorAction(context.deps, { by, action: 'login', on: '', from: context }, error.reason)
      throw error
    })
