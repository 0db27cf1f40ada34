import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { uploadBytes } from './store.ts'

/** Serves uploads as PNG to our own pages only, cached as immutable: the bytes of a name never change. */
export function mountUploads(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>('/uploads/:name', async (request, reply) => {
    const [, name] = /^([0-9a-f]{32})\.png$/.exec(request.params.name) ?? []
    const bytes = name && (await uploadBytes(deps.pool, name))
    if (!bytes) throw new Refusal('not_found')
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes)
  })
}

/** Reads the file of a multipart form. Refuses with `bad_image` if there is none or it is too large. */
export async function readPicture(request: FastifyRequest): Promise<Buffer> {
  try {
    const file = await request.file()
    if (file?.fieldname === 'file') return await file.toBuffer()
  } catch (error) {
    // Only malformed input can fail here. The parser's own errors have no HTTP status.
    request.log.debug({ err: error }, 'malformed upload')
  }
  throw new Refusal('bad_image', { field: 'file' })
}
