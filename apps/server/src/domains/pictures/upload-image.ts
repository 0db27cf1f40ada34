import { randomBytes } from 'node:crypto'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { redraw } from './read-picture.ts'
import { insertUpload, uploadsCount, uploadUrl } from './store.ts'

const pace = { max: 60, seconds: 3_600 }
const perMerchantMax = 500

/** Re-encodes an image and stores it under an unguessable, immutable name. Returns its URL path. */
export async function uploadImage(deps: Deps, input: { merchantId: string; bytes: Buffer }): Promise<{ url: string }> {
  if (input.bytes.length === 0 || input.bytes.length >= limits.imageBytesMax)
    throw new Refusal('bad_image', { field: 'file' })
  await throttle(deps, `upload ${input.merchantId}`, pace)
  if ((await uploadsCount(deps.pool, input.merchantId)) >= perMerchantMax) throw new Refusal('limit_reached')
  const bytes = await redraw(input.bytes)
  if (bytes === 'busy') throw new Refusal('busy')
  if (!bytes) throw new Refusal('bad_image', { field: 'file' })
  const name = randomBytes(16).toString('hex')
  await insertUpload(deps.pool, { name, merchant_id: input.merchantId, bytes, created_at: deps.clock() })
  return { url: uploadUrl(name) }
}
