import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { uploadBytes } from './store.ts'

/** Serves uploaded pictures: only ever as a PNG, to our own pages, and for good, since a name never gets other bytes. */
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

/** The bytes of the one file of a form. Refuses with `bad_image` whatever is not a form with a file of fit size. */
export async function readPicture(request: FastifyRequest): Promise<Buffer> {
  try {
    const file = await request.file()
    if (file?.fieldname === 'file') return await file.toBuffer()
  } catch (error) {
    // Only what was sent can fail here; the parser's own errors have no status.
    request.log.debug({ err: error }, 'malformed upload')
  }
  throw new Refusal('bad_image', { field: 'file' })
}
