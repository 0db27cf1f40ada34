import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import { workOrderStatus } from '@coffer/contract/codes.ts'
import type { ListedEvent } from '@coffer/contract/events.ts'
import { type Language, languageOf } from '@coffer/contract/languages.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { events, liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { Merchant } from '../merchants/store.ts'
import { generateWorkOrderNumber, throttleMessages } from './create-order.ts'
import { attachPictures } from './pictures.ts'
import { insertMessage, insertWorkOrder, lockWorkOrder, updateWorkOrderStatus, type WorkOrder } from './store.ts'

const { in_progress, answered, closed } = workOrderStatus

interface Written {
  number: string
  text: string
}

/**
 * Locks a work order; without a merchant, of any merchant. Messages take the time of the lock, so that they stay in
 * order.
 */
async function lock(uow: UnitOfWork, number: string, merchantId: string | null): Promise<WorkOrder> {
  const order = await lockWorkOrder(uow.c, number, merchantId)
  if (!order) throw new Refusal('work_order_not_exist', { field: 'number' })
  return order
}

async function change(uow: UnitOfWork, order: WorkOrder, status: number, unread: boolean, now: number): Promise<void> {
  const { merchant_id, number } = order
  await updateWorkOrderStatus(uow.c, merchant_id, number, status, unread, now, status === closed ? now : null)
  uow.add(liveHints, [{ merchant_id, type: 'notification', id: '' }])
}

type FromMerchant = Written & { merchantId: string; pictures: string[] }

/** Adds a merchant's message to a work order that `check` accepts. The operator then has to answer it. */
async function addMessage(
  deps: Deps,
  { merchantId, number, text, pictures }: FromMerchant,
  check: (order: WorkOrder) => void,
): Promise<void> {
  await throttleMessages(deps, merchantId)
  await tx(deps.pool, async (c, uow) => {
    const order = await lock(uow, number, merchantId)
    check(order)
    await attachPictures(c, merchantId, number, pictures)
    await insertMessage(c, merchantId, number, newId(), null, text.trim(), pictures, deps.clock())
    await change(uow, order, in_progress, false, deps.clock())
  })
}

/** Adds a merchant's message to an open work order. */
export const replyToWorkOrder = (deps: Deps, message: FromMerchant): Promise<void> =>
  addMessage(deps, message, order => {
    if (order.status === closed) throw new Refusal('work_order_closed', { field: 'number' })
  })

/** Reopens a closed work order with a message. Refused later than 7 days after it was closed. */
export const reopenWorkOrder = (deps: Deps, message: FromMerchant): Promise<void> =>
  addMessage(deps, message, ({ closed_at }) => {
    if (closed_at === null) throw new Refusal('work_order_open', { field: 'number' })
    if (deps.clock() > closed_at + workOrderLimits.reopenSeconds)
      throw new Refusal('work_order_too_old', { field: 'number' })
  })

/** Closes a work order, for its merchant or, without one, for the operator. Idempotent. */
export const closeWorkOrder = (
  deps: Deps,
  { number, merchantId = null }: { number: string; merchantId?: string | null },
): Promise<void> =>
  tx(deps.pool, async (_, uow) => {
    const order = await lock(uow, number, merchantId)
    if (order.status === closed) return
    await change(uow, order, closed, merchantId === null && order.unread, deps.clock())
    if (merchantId === null) notify(uow, order, 'work_order_closed', deps.clock())
  })

/** Reopens a closed work order for the operator, whenever it was closed, and notifies the merchant. */
export const reopenWorkOrderForOperator = (deps: Deps, { number }: { number: string }): Promise<void> =>
  tx(deps.pool, async (_, uow) => {
    const order = await lock(uow, number, null)
    if (order.closed_at === null) throw new Refusal('work_order_open', { field: 'number' })
    await change(uow, order, in_progress, order.unread, deps.clock())
    notify(uow, order, 'work_order_reopened', deps.clock())
  })

/**
 * Answers a work order for the operator, and notifies the merchant by notification and mail. Refused for a closed one.
 */
export async function answerWorkOrder(
  deps: Deps,
  input: Written & { operator: string; pictures: string[] },
): Promise<void> {
  const { number, operator, pictures } = input
  const text = input.text.trim()
  if (text === '' || text.length > workOrderLimits.text || text.includes('\0'))
    throw new Refusal('text_needed', { field: 'text' })
  await tx(deps.pool, async (c, uow) => {
    const locked = await lock(uow, number, null)
    if (locked.status === closed) throw new Refusal('work_order_closed', { field: 'number' })
    const now = deps.clock()
    await attachPictures(c, locked.merchant_id, number, pictures)
    await insertMessage(c, locked.merchant_id, number, newId(), operator, text, pictures, now)
    await change(uow, locked, answered, true, now)
    notify(uow, locked, 'work_order_answered', now)
    send(uow, locked, { text, what: 'answered' }, now)
  })
}

const documents: Record<Language, string> = { en: 'Documents that we need', 'zh-CN': '请补充资料' }

/** Opens a work order that asks a merchant for documents. The merchant answers with text and pictures. */
export async function requestDocuments(
  deps: Deps,
  uow: UnitOfWork,
  { merchant, operator, text }: { merchant: Merchant; operator: string; text: string },
): Promise<WorkOrder> {
  const number = generateWorkOrderNumber()
  const now = deps.clock()
  const theme = documents[languageOf(merchant.language)]
  await insertWorkOrder(uow.c, merchant.id, number, 'documents', theme, null, null, now)
  await insertMessage(uow.c, merchant.id, number, newId(), operator, text, [], now)
  const order = await lock(uow, number, merchant.id)
  await change(uow, order, answered, true, now)
  notify(uow, order, 'work_order_documents', now)
  send(uow, order, { text, what: 'documents' }, now)
  return order
}

/** Sends an operator's message to the members who may reply. */
function send(
  uow: UnitOfWork,
  { merchant_id, number, theme }: WorkOrder,
  message: { text: string; what: 'answered' | 'documents' },
  created_at: number,
): void {
  const params = { work_order: number, theme, ...message }
  uow.add(events, [{ merchant_id, name: 'work_order_message', params, created_at }])
}

function notify(
  uow: UnitOfWork,
  { merchant_id, number, theme }: WorkOrder,
  name: ListedEvent,
  created_at: number,
): void {
  const params = { work_order: number, theme }
  uow.add(events, [{ merchant_id, name, params, created_at }])
}
