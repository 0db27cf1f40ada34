import { workOrderLimits } from '@coffer/contract/codes/work-orders.ts'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { checkPicture, newPictureName, uploadLimit } from '../pictures/read-uploaded-file.ts'
import { reencodePictureFullSize } from '../pictures/reencode.ts'
import { countPictures, deletePictures, insertPicture, markWorkOrderPicturesSent, type readPicture } from './store.ts'

/** Pictures of a merchant's work orders that are stored at once. */
const picturesMax = 100
/** How long (s) a picture waits to be sent. */
const unsentSeconds = 86_400

/**
 * Stores a re-encoded picture that may be sent by its merchant or, with a number, by the operator in this work order.
 */
export async function uploadOrderPicture(
  deps: Deps,
  { merchantId, number, file }: { merchantId: string; number: string | null; file: Buffer },
): Promise<{ id: string }> {
  await throttle(deps, `upload ${number ?? merchantId}`, uploadLimit)
  if (number === null && (await countPictures(deps.pool, merchantId)) >= picturesMax) throw new Refusal('limit_reached')
  const { type, bytes } = checkPicture(await reencodePictureFullSize(file))
  const id = newPictureName()
  await insertPicture(deps.pool, id, merchantId, number, type, bytes, deps.clock())
  return { id }
}

/**
 * Binds uploaded pictures to the work order whose message has them. Throws Refusal('bad_image') unless they wait for
 * it.
 */
export async function attachPictures(c: Queryable, merchantId: string, number: string, ids: string[]): Promise<void> {
  if (ids.length > 0 && (await markWorkOrderPicturesSent(c, merchantId, number, ids)) !== ids.length)
    throw new Refusal('bad_image', { field: 'pictures' })
}

/** Answers with a picture. Throws Refusal('not_found') without one. */
export function replyWithPicture(reply: FastifyReply, picture: Awaited<ReturnType<typeof readPicture>>): FastifyReply {
  if (!picture) throw new Refusal('not_found')
  return reply.type(picture.type).send(picture.bytes)
}

/** Deletes pictures a week after their work order was closed, and those that were never sent. */
export const deleteOldPictures = ({ pool, clock }: Deps): Promise<number> =>
  deletePictures(pool, clock() - workOrderLimits.picturesSeconds, clock() - unsentSeconds)
