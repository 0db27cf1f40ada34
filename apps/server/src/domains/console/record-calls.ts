import { merchantStatus, nameOf, withdrawalStatus, workOrderStatus } from '@coffer/contract/codes.ts'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import { pausableQueues } from '@coffer/contract/operator/operations.ts'
import { operatorRoles } from '@coffer/contract/operator/roles.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { approvalsOf } from '../../kit/second-person.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { findCallbackOwner } from '../callbacks/store.ts'
import { assetsOfChain } from '../chains/assets.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { openIncidents, readChain, rereadFrom } from '../chains/store.ts'
import { merchantByMchid } from '../merchants/store.ts'
import { readAnnouncement } from '../notifications/announce.ts'
import { beginAction, recordAction } from '../operators/action-log.ts'
import type { OperatorSession } from '../operators/sessions.ts'
import { operatorById } from '../operators/store.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { refundSubject } from '../refunds/decide-refund.ts'
import { readAnyRefund } from '../refunds/store.ts'
import { approvalSubject } from '../withdrawals/decide-withdrawal.ts'
import { readAnyWithdrawal } from '../withdrawals/list.ts'
import { readAnyWorkOrder } from '../work-orders/store.ts'
import { hookState } from './alert-hooks.ts'
import type { ConsoleHandlers } from './context.ts'

type Input = Record<string, unknown>
type Context = Visitor & { deps: Deps; operator: OperatorSession; params?: Input; body?: Input }
type Handler = (context: Context) => Promise<unknown>
type Read = (deps: Deps, id: string) => Promise<object | undefined>

/** What an action of the console changes, by the beginning of its path: how its state is read before and after. */
const states: Record<string, Read> = {
  operators: async ({ pool }, id) => {
    const found = await operatorById(pool, id)
    return found && { email: found.email, role: found.role, active: found.password_hash !== null }
  },
  merchants: async ({ pool }, id) => {
    const found = await merchantByMchid(pool, id.toUpperCase())
    if (!found) return undefined
    const { status, audit_reason, risk_level, frozen, fee_bps, withdraw_fee_bps } = found
    const { withdraw_single_max, withdraw_day_max, withdraw_approval_above } = found
    const limits = { withdraw_single_max, withdraw_day_max, withdraw_approval_above }
    const authenticator = found.authenticator_secret !== null
    return {
      status: nameOf(merchantStatus, status),
      audit_reason,
      risk_level,
      frozen,
      authenticator,
      fee_bps,
      withdraw_fee_bps,
      ...limits,
    }
  },
  chains: async ({ pool }, id) => {
    const found = await readChain(pool, id)
    return found && { halted: found.halted, read: found.last_number, reread_from: await rereadFrom(pool, id) }
  },
  assets: async ({ pool }, id) => {
    const found = (await assetsOfChain(pool, id.split(':')[0]!)).get(id)
    return found && { hold: found.hold, compared: found.compared }
  },
  wallets: async ({ pool }, id) => {
    const found = await walletOfRole(pool, id, 'hot')
    return found && { address: found.address, next_nonce: found.next_nonce, halted: found.halted }
  },
  queues: async ({ pool }, id) => {
    const queue = pausableQueues.find(each => each === id)
    return queue && { pause: (await pauseOf(pool, queue)) ?? null }
  },
  incidents: async ({ pool }, id) => {
    const open = (await openIncidents(pool, null)).find(each => each.id === id)
    return { open: open !== undefined, ...(open && { kind: open.kind, detail: open.detail }) }
  },
  'alert-hooks': hookState,
  callbacks: async ({ pool }, id) => {
    const found = await findCallbackOwner(pool, id)
    return found && { status: found.status, attempts: found.attempts, result: found.result }
  },
  announcements: async ({ pool }, id) => {
    const found = await readAnnouncement(pool, id)
    return found && { title: found.texts.title_en, ends_at: found.ends_at, withdrawn: found.withdrawn }
  },
  'work-orders': async ({ pool }, id) => {
    const found = await readAnyWorkOrder(pool, id)
    return found && { mchid: found.mchid, theme: found.theme, status: nameOf(workOrderStatus, found.status) }
  },
  releases: async ({ pool }, id) => {
    const found = await readAnyWithdrawal(pool, id)
    return found && { mchid: found.mchid, amount: found.amount, token: found.token, to_address: found.to_address }
  },
  refunds: async ({ pool }, id) => {
    const found = await readAnyRefund(pool, id)
    if (!found) return undefined
    const { mchid, trade_no, receives, token, to_address, status, failure } = found
    const approvals = (await approvalsOf(pool, [refundSubject(found)])).get(refundSubject(found))
    const state = { status: nameOf(withdrawalStatus, status), failure, approvals }
    return { mchid, trade_no, receives, token, to_address, ...state }
  },
  withdrawals: async ({ pool }, id) => {
    const found = await readAnyWithdrawal(pool, id)
    if (!found) return undefined
    const { mchid, amount, token, to_address, status, reason } = found
    const approvals = (await approvalsOf(pool, [approvalSubject(found)])).get(approvalSubject(found))
    return { mchid, amount, token, to_address, status: nameOf(withdrawalStatus, status), reason, approvals }
  },
}

const hostOf = (url: unknown) => (URL.canParse(String(url)) ? new URL(String(url)).host : '')

const prefix = '/api/operator/v1/'

/** Wraps the handlers of calls that change something: each is recorded before it runs, and again with its outcome. */
export function recordCalls(handlers: ConsoleHandlers): ConsoleHandlers {
  const wrapped = Object.keys(operatorRoutes)
    .filter(key => Object.hasOwn(operatorRoles, key) && !key.startsWith('GET '))
    .map(key => [key, record(key, (handlers as unknown as Record<string, Handler>)[key]!)])
  const signIns = ['login', 'login/verification', 'login/passkey'].map(way => {
    const key = `POST ${prefix}public/${way}`
    return [key, recordRefused((handlers as unknown as Record<string, Handler>)[key]!)]
  })
  return { ...handlers, ...Object.fromEntries([...wrapped, ...signIns]) }
}

function record(key: string, handler: Handler): Handler {
  const [method = '', path = ''] = key.split(' ')
  const [area = ''] = path.slice(prefix.length).split('/')
  return async context => {
    const { deps, operator, params = {}, body = {} } = context
    // A signature says nothing to a reader of the log, and the URL of a hook or a device may hold a token.
    const { passkey, url = body.endpoint, endpoint: _, p256dh: __, auth: ___, ...given } = body
    const on = String(params.id ?? body.email ?? body.name ?? '')
    const state = async () => (on && ((await states[area]?.(deps, on)) as Input | undefined)) || null
    // Secrets are in no body of these calls.
    const action = `${method} ${path.slice(prefix.length)}`
    // The command line has no address.
    const from = context.ip === '' ? null : context
    const end = await beginAction(deps, { who: operator.email, action, on, from }, await state())
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
      const who = context.operator?.email ?? String(context.body?.email ?? '')
      if (error instanceof Refusal && error.reason !== 'frequent_operation')
        await recordAction(context.deps, { who, action: 'login', on: '', from: context }, error.reason)
      throw error
    })
