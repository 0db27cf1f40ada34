import { randomInt } from 'node:crypto'
import type { ParsedBody } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { attachPictures } from './pictures.ts'
import { findWorkOrderSubject, insertMessage, insertWorkOrder } from './store.ts'

/** Messages of a merchant. */
const limit = { max: 60, seconds: 3_600 }

/** Checks that a merchant does not write too often. */
export const throttleMessages = (deps: Deps, merchantId: string): Promise<void> =>
  throttle(deps, `work order ${merchantId}`, limit)

export const generateWorkOrderNumber = () => `W${randomInt(1_000_000_000, 10_000_000_000)}`

/** Creates a work order with its first message and returns its number. Its subject must belong to the merchant. */
export async function createWorkOrder(
  deps: Deps,
  { merchantId, ...order }: { merchantId: string } & ParsedBody<'POST /api/v1/work-order'>,
): Promise<string> {
  const { type, theme, description, pictures, about } = order
  await throttleMessages(deps, merchantId)
  const number = generateWorkOrderNumber()
  const now = deps.clock()
  await tx(deps.pool, async c => {
    if (about && !(await findWorkOrderSubject(c, merchantId, about.kind, about.id))?.found)
      throw new Refusal('not_found', { field: 'about' })
    await insertWorkOrder(c, merchantId, number, type, theme.trim(), about?.kind ?? null, about?.id ?? null, now)
    await attachPictures(c, merchantId, number, pictures)
    await insertMessage(c, merchantId, number, newId(), null, description.trim(), pictures, now)
  })
  return number
}
