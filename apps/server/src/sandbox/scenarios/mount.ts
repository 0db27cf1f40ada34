import { randomUUID } from 'node:crypto'
import { id, url, urlOrEmpty } from '@coffer/contract/kit/schemas.ts'
import type { ScenarioReport } from '@coffer/contract/sandbox/answers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { authenticateKey } from '../../domains/applications/authenticate-key.ts'
import { first } from '../../kit/db.ts'
import { languageOf } from '../../kit/language.ts'
import { Refusal } from '../../kit/refusal.ts'
import { checkNotifyUrl } from '../../outside/check-notify-url.ts'
import { mineForPending, type SandboxWallet } from '../wallet.ts'
import { describeScenarioFault } from './report.ts'
import { ScenarioRun, type ScenarioTarget } from './run.ts'
import { scenarios } from './scenarios.ts'

const startBody = z.strictObject({
  endpoint: url,
  status_url: urlOrEmpty.default(''),
  /** The application, without a key in the header. */
  appid: id.default(''),
  /** Names of scenarios; by default all. */
  scenarios: z.array(z.enum(Object.keys(scenarios))).optional(),
})

interface Run {
  name: string
  live: ScenarioRun
  state: 'running' | 'done' | 'broken'
}

/** Runs that are remembered: each holds a few kilobytes. */
const runsMost = 50

/**
 * Mounts `POST /sandbox/scenarios`, which has orders live through what happens, with the callbacks of each going to an
 * endpoint, `GET /sandbox/scenarios/:id`, which reports how the endpoint handled it, and the relay between Coffer and
 * the endpoint.
 */
export async function mountScenarios(app: FastifyInstance, deps: Deps, wallet: SandboxWallet): Promise<void> {
  const reports = new Map<string, Run[]>()
  const relays = new Map<string, ScenarioRun>()
  let turn: Promise<unknown> = Promise.resolve()
  /** Runs what reverts blocks one at a time: the lost blocks of one would take the payments of the others with them. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work, work)
    turn = done
    return done
  }

  app.post('/sandbox/scenarios', async request => {
    const { endpoint, status_url: statusUrl, appid, ...body } = startBody.parse(request.body, { reportInput: true })
    const holder = await holderOf(deps, request, appid)
    await checkNotifyUrl(deps, endpoint, 'endpoint')
    await checkNotifyUrl(deps, statusUrl, 'status_url')
    const target: ScenarioTarget = { ...holder, endpoint, statusUrl }
    const runs = (body.scenarios ?? Object.keys(scenarios)).map(
      (name): Run => ({ name, live: new ScenarioRun(deps, wallet, target, scenarios[name]!), state: 'running' }),
    )
    const report = randomUUID()
    reports.set(report, runs)
    for (const old of [...reports.keys()].slice(0, -runsMost)) reports.delete(old)
    void follow(runs)
    return { code: 200, data: { id: report } }
  })

  app.get<{ Params: { id: string } }>('/sandbox/scenarios/:id', async request => {
    const runs = reports.get(request.params.id)
    if (!runs) throw new Refusal('not_found')
    const language = languageOf(request)
    return { code: 200, data: { list: runs.map(run => presentRun(run, language)) } }
  })

  await app.register(async scope => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post<{ Params: { token: string } }>('/sandbox/relay/:token', async (request, reply) => {
      const relay = relays.get(request.params.token)
      if (!relay) return reply.code(404).send()
      const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
      const headers = Object.fromEntries(names.map(name => [name, String(request.headers[name] ?? '')]))
      return reply.code(await relay.take({ headers, body: request.body as Buffer })).send()
    })
  })

  async function follow(runs: Run[]): Promise<void> {
    const mining = setInterval(() => void mineForPending(deps, wallet).catch(() => {}), 1_000)
    await Promise.all(
      runs.map(async run => {
        const token = randomUUID()
        relays.set(token, run.live)
        try {
          const live = () => run.live.live(`http://127.0.0.1:${deps.config.port}/sandbox/relay/${token}`)
          await (scenarios[run.name]!.chain ? inTurn(live) : live())
          run.state = 'done'
        } catch (error) {
          deps.log.warn({ err: error, scenario: run.name }, 'scenario ended early')
          run.state = run.live.problem ? 'done' : 'broken'
        } finally {
          relays.delete(token)
        }
      }),
    )
    clearInterval(mining)
  }
}

const ownerOf = first(
  'sandbox-application-owner',
  'select merchant_id from applications where appid = $1 and deleted_at is null',
)

async function holderOf(deps: Deps, { headers, ip }: FastifyRequest, appid: string) {
  const [, key] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== undefined) {
    const { merchantId, appid } = await authenticateKey(deps, { key, ip })
    return { merchantId, appid }
  }
  const owner = await ownerOf(deps.pool, appid)
  if (!owner) throw new Refusal('application_not_exist', { field: 'appid' })
  return { merchantId: owner.merchant_id, appid }
}

function presentRun({ name, live, state }: Run, language: ReturnType<typeof languageOf>): ScenarioReport {
  const fault = state === 'done' ? describeScenarioFault(live, language) : ''
  return {
    name,
    title: scenarios[name]!.title[language],
    state: state === 'done' ? (fault === '' ? 'handled' : 'failed') : state,
    sent: live.exchanges,
    paid: live.readings.map(each => each.paid),
    why: fault,
  }
}
