import { readFile } from 'node:fs/promises'
import type { PublishedProof } from '@coffer/core'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { listProofIds, readNewestProof, readProof } from './store.ts'

const toPublishedProof = (row: Awaited<ReturnType<typeof readProof>>): PublishedProof => {
  if (!row) throw new Refusal('not_found')
  const { statement, signature, public_key, pages } = row
  return { format: 'coffer-proof-1', statement, signature, public_key, pages }
}

const formatDescription = new URL('../../../../../docs/proof.md', import.meta.url)

/** Mounts the published files: the newest proof, each by its id, the list of ids, and the description of the format. */
export function mountPublishedProofs(app: FastifyInstance, { pool, chains }: Deps): void {
  app.get('/proof/latest.json', async () => toPublishedProof(await readNewestProof(pool)))
  app.get('/proof/index.json', async () => ({
    list: (await listProofIds(pool)).map(({ id, published_at }) => ({ id, published_time: published_at })),
    // By their ids, which is what proofs say.
    networks: Object.fromEntries([...chains].map(([id, { definition }]) => [id, definition.name])),
  }))
  app.get('/proof/format.md', async (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send(await readFile(formatDescription)),
  )
  app.get<{ Params: { file: string } }>('/proof/:file', async ({ params: { file } }) => {
    const id = /^(20[\d-]{8,11})\.json$/.exec(file)?.[1]
    if (id === undefined) throw new Refusal('not_found')
    return toPublishedProof(await readProof(pool, id))
  })
}
