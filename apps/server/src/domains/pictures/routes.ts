import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits } from '@coffer/contract/limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { defineHandlers } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { reencode } from './reencode.ts'
import { countUploads, insertUpload, readUpload, uploadUrl } from './store.ts'

const uploadLimit = { max: 60, seconds: 3_600 }
const uploadsMax = 500

const badImage = () => new Refusal('bad_image', { field: 'file' })

export const pictureHandlers = defineHandlers({
  'POST /api/v1/user/upload': async ({ deps, session: { merchantId }, request }) =>
    uploadPicture(deps, merchantId, await fileOf(request)),
})

/** Stores a re-encoded picture under a random name and returns its path. */
export async function uploadPicture(deps: Deps, merchantId: string, file: Buffer): Promise<{ url: string }> {
  if (file.length === 0 || file.length >= limits.imageBytesMax) throw badImage()
  await throttle(deps, `upload ${merchantId}`, uploadLimit)
  if ((await countUploads(deps.pool, merchantId)) >= uploadsMax) throw new Refusal('limit_reached')
  const bytes = await reencode(file)
  if (bytes === 'busy') throw new Refusal('busy')
  if (!bytes) throw badImage()
  const name = randomBytes(16).toString('hex')
  await insertUpload(deps.pool, name, merchantId, bytes, deps.clock())
  return { url: uploadUrl(name) }
}

/** Reads the file of a form. Throws Refusal('bad_image') when the form is malformed, has no file or a too large one. */
async function fileOf(request: FastifyRequest): Promise<Buffer> {
  try {
    const bytes = await Promise.race([readFile(request), cutOff(request.raw)])
    if (bytes) return bytes
  } catch (error) {
    // Only the request can cause errors here; those of the parser have no status.
    request.log.debug({ err: error }, 'malformed upload')
  }
  throw badImage()
}

async function readFile(request: FastifyRequest): Promise<Buffer | undefined> {
  const file = await request.file()
  return file?.fieldname === 'file' ? file.toBuffer() : undefined
}

/** Rejects when the client goes before its form is complete: the parser would wait for the rest forever. */
const cutOff = (message: IncomingMessage) =>
  new Promise<never>((_resolve, reject) => {
    const end = () => message.readableEnded || reject(new Error('the form is cut off'))
    if (message.destroyed) end()
    else message.once('close', end)
  })

/** Serves uploads, always as PNG and without active content. Cached forever: a name never gets other bytes. */
export function mountUploads(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const [, name] = /^([0-9a-f]{32})\.png$/.exec(request.params.name) ?? []
    const upload = name && (await readUpload(deps.pool, name))
    if (!upload) throw new Refusal('not_found')
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(upload.bytes)
  })
}
