import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { defineHandlers } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { checkPicture, newPictureName, readUploadedFile, uploadLimit } from './read-uploaded-file.ts'
import { reencode } from './reencode.ts'
import { countUploads, insertUpload, readUpload, uploadUrl } from './store.ts'

const uploadsMax = 500

export const pictureHandlers = defineHandlers({
  'POST /api/v1/user/upload': async ({ deps, session: { merchantId }, request }) =>
    uploadPicture(deps, merchantId, await readUploadedFile(request)),
})

/** Stores a re-encoded picture under a random name and returns its path. */
export async function uploadPicture(deps: Deps, merchantId: string, file: Buffer): Promise<{ url: string }> {
  await throttle(deps, `upload ${merchantId}`, uploadLimit)
  if ((await countUploads(deps.pool, merchantId)) >= uploadsMax) throw new Refusal('limit_reached')
  const bytes = checkPicture(await reencode(file))
  const name = newPictureName()
  await insertUpload(deps.pool, name, merchantId, bytes, deps.clock())
  return { url: uploadUrl(name) }
}

/** Serves uploads, always as PNG and without active content. A name never gets other bytes. */
export function mountUploads(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const [, name] = /^([0-9a-f]{32})\.png$/.exec(request.params.name) ?? []
    const upload = name && (await readUpload(deps.pool, name))
    if (!upload) throw new Refusal('not_found')
    return reply.type('image/png').header('content-security-policy', "default-src 'none'; sandbox").send(upload.bytes)
  })
}
