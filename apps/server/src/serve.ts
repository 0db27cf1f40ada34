import type { FastifyInstance } from 'fastify'
import { syncChains } from './commands/sync-chains.ts'
import type { Deps } from './deps.ts'
import { makeApp } from './http/app.ts'
import { closeEventStreams } from './http/sse.ts'
import { startJobs } from './jobs/index.ts'
import type { World } from './outside/world.ts'

/** A running server: where it listens and how it ends. */
export interface Running {
  app: FastifyInstance
  stop: () => Promise<void>
}

/**
 * Starts HTTP and the background jobs. `stop` lets what is under way finish: first no new requests, then the jobs,
 * then the database; it never takes longer than about 8 s.
 */
export async function serve(deps: Deps, world: World): Promise<Running> {
  await syncChains(deps)
  const app = await makeApp(deps, world.extend && (async instance => world.extend?.(instance, deps)))
  await app.listen({ host: deps.config.host, port: deps.config.port })
  const stopJobs = startJobs(deps)
  return {
    app,
    async stop() {
      const late = setTimeout(() => app.server.closeAllConnections(), 3_000)
      closeEventStreams()
      await Promise.all([app.close(), stopJobs()])
      clearTimeout(late)
      await Promise.all([deps.live.stop(), deps.prices.stop(), world.stop?.()])
      await deps.pool.end()
    },
  }
}
