/** A parent process for tests to kill: starts PostgreSQL or anvil, reports over IPC, and stops it on SIGTERM. */
import { startAnvil } from './anvil.ts'
import { startPostgres } from './postgres.ts'
import { OperatorProblem } from './problem.ts'

const [kind, folder = ''] = process.argv.slice(2)

try {
  const service =
    kind === 'postgres'
      ? await startPostgres({ dataDir: folder })
      : await startAnvil({ folder, chainId: 31337, log: line => process.send?.({ log: line }) })
  process.once('SIGTERM', async () => {
    await service.stop()
    process.exit(0)
  })
  process.send?.({ url: service.url })
} catch (error) {
  process.send?.({ problem: error instanceof OperatorProblem ? error.message : String(error) })
  process.exit(1)
}
