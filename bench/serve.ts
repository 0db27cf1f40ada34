/**
 * The HTTP server on a benchmark's database, in its own process so that the measuring does not slow it down:
 * `node bench/serve.ts <database url> <merchant> <data folder>`. Prints its URL once it listens. `/exceljs` exports the merchant's
 * payments with exceljs.
 */

import { readConfig } from '@coffer/server/config.ts'
import paymentExport from '@coffer/server/domains/payments/export.ts'
import { startExport } from '@coffer/server/kit/export/export-rows.ts'
import { makeLog, makePool } from '@coffer/server/make-deps.ts'
import { makeApp } from '@coffer/server/serve.ts'
import { makeTestDeps } from '@coffer/server/testing/deps.ts'
import type { FastifyInstance } from 'fastify'

const [url, merchantId, dataDir] = process.argv.slice(2)
if (!url || !merchantId || !dataDir)
  throw new Error('usage: node bench/serve.ts <database url> <merchant> <data folder>')
const deps = makeTestDeps({
  pool: makePool(url, makeLog(readConfig({ COFFER_LOG: 'silent' }))),
  config: { mode: 'sandbox', dataDir },
})
const extend = async (app: FastifyInstance) => {
  app.get<{ Querystring: { start_time: number; end_time: number } }>('/exceljs', async ({ query }, reply) => {
    const filter = { start_time: Number(query.start_time), end_time: Number(query.end_time) }
    const scope = { merchantId, filter, language: 'en' as const }
    const code = new URL('./exceljs-worker.ts', import.meta.url)
    const { total, file } = await startExport(deps, paymentExport, scope, code)
    return reply.header('x-total-rows', total).send(file)
  })
}
const app = await makeApp(deps, { extend })
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
