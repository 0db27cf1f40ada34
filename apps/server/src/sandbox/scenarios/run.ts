import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { createPayment } from '../../domains/payments/create-payment.ts'
import type { Order } from '../../domains/payments/present-order.ts'
import { first } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { buildCallbackReach } from '../../outside/addresses.ts'
import { sendSafeRequest } from '../../outside/safe-http.ts'
import { advanceCallbacks, expirePayment } from '../clock.ts'
import { reorgPayment } from '../reverse.ts'
import { payFromSandboxWallet, type SandboxWallet } from '../wallet.ts'
import { createCallbackRelay, type ReceivedCallback } from './relay.ts'
import { type CallbackExchange, isCallbackAccepted, parseStatusResponse, type StatusReading } from './report.ts'
import type { Scenario, ScenarioActions } from './scenarios.ts'

/** The endpoint under test. The status URL may contain `{out_trade_no}` and `{trade_no}`. */
export interface ScenarioTarget {
  merchantId: string
  appid: string
  endpoint: string
  statusUrl: string
}

/** Attempts at an event until a scenario takes the endpoint's refusal for its answer. */
const attemptsMost = 3
const patience = { maxMs: 90_000, stepMs: 300 }
/** How long the shop may take until its status URL shows what a callback said (ms). */
const statusMs = 5_000
const price = 10

const hasDeposit = first('sandbox-deposit', 'select 1 as found from deposits where trade_no = $1 limit 1')

/** One order that lives through a scenario. Its notify URL is the relay's, which hands callbacks to `take`. */
export class ScenarioRun {
  readonly exchanges: CallbackExchange[] = []
  readonly readings: StatusReading[] = []
  problem: 'never' | null = null
  private readonly relay
  private readonly scenario: Scenario
  private readonly deps: Deps
  private readonly wallet: SandboxWallet
  private readonly target: ScenarioTarget
  /** Every callback that the relay took, also those that are still on their way. */
  private readonly underWay: Promise<number>[] = []
  /** What came from Coffer and what it got for it, by event. */
  private readonly taken = new Map<string, number[]>()

  constructor(deps: Deps, wallet: SandboxWallet, target: ScenarioTarget, scenario: Scenario) {
    this.deps = deps
    this.wallet = wallet
    this.target = target
    this.scenario = scenario
    this.relay = createCallbackRelay(scenario.relay ?? 'plain')
  }

  /** Creates the order and has happen to it what the scenario says. */
  async live(notifyUrl: string): Promise<void> {
    const { merchantId, appid } = this.target
    const order = await createPayment(this.deps, {
      merchantId,
      appid,
      order: routes['POST /api/v1/pay/orders'].body.parse({
        out_trade_no: `scenario-${randomUUID().slice(0, 13)}`,
        amount: String(price),
        chain: this.scenario.chain ?? 'eth',
        token: 'USDT',
        subject: this.scenario.title.en,
        notify_url: notifyUrl,
      }),
    })
    await this.scenario.live(this.lifeOf(order))
  }

  /** Hands a callback of Coffer to the endpoint, as the network of the scenario does. Returns the status for Coffer. */
  async take(incoming: ReceivedCallback): Promise<number> {
    const event = String(JSON.parse(incoming.body.toString()).type)
    const before = this.taken.get(event) ?? []
    this.taken.set(event, before)
    const attempt = before.push(0) - 1
    const relayed = this.relay(event, () => this.hand(event, incoming), attempt)
    this.underWay.push(relayed)
    const status = await relayed
    before[attempt] = status
    return status
  }

  private lifeOf({ trade_no, out_trade_no, ...order }: Order): ScenarioActions {
    const { deps, wallet } = this
    return {
      pay: async share => {
        const amount = share === undefined ? undefined : String(price * share)
        await payFromSandboxWallet(deps, wallet, { trade_no, amount })
      },
      seen: () => this.wait('payment.seen', async () => (await hasDeposit(deps.pool, trade_no)) !== undefined),
      expire: () =>
        expirePayment(deps, trade_no).catch(error => {
          // The order may have become paid meanwhile.
          if (!(error instanceof Refusal) || error.reason !== 'transaction_ended') throw error
        }),
      reverse: () => reorgPayment(deps, wallet, trade_no),
      forge: async () => {
        const data = { trade_no, out_trade_no, ...order, status: 2, paid_amount: order.amount }
        const body = JSON.stringify({ type: 'payment.paid', timestamp: new Date().toISOString(), data })
        const headers = {
          'content-type': 'application/json',
          'webhook-id': randomUUID(),
          'webhook-timestamp': String(deps.clock()),
          'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}`,
        }
        await this.hand('payment.paid', { headers, body: Buffer.from(body) }, true)
      },
      until: event => this.until(trade_no, event),
      delivers: expected => this.readStatusOf({ trade_no, out_trade_no }, expected),
    }
  }

  private async hand(event: string, { headers, body }: ReceivedCallback, forged = false): Promise<number> {
    const { status, durationMs } = await this.send({ url: this.target.endpoint, headers, body })
    this.exchanges.push({ event, status, duration_ms: durationMs, forged })
    return status || 502
  }

  private send(request: { method?: 'GET'; url: string; headers: Record<string, string>; body?: Buffer }) {
    const { config } = this.deps
    return sendSafeRequest({
      ...request,
      reach: buildCallbackReach(config),
      allowHttp: config.callbackHttp === 'allow',
    })
  }

  /** The clock of the order: the next attempts at its callbacks are made now. */
  private async until(tradeNo: string, event: string): Promise<void> {
    const isAnswered = () => {
      const statuses = this.taken.get(event) ?? []
      return statuses.some(status => isCallbackAccepted({ status })) || statuses.filter(Boolean).length >= attemptsMost
    }
    await this.wait(event, async () => {
      if (isAnswered()) return true
      await advanceCallbacks(this.deps.pool, 60, tradeNo)
      return false
    })
    await Promise.all(this.underWay)
  }

  private async wait(what: string, hasCome: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; !(await hasCome()); waited += patience.stepMs) {
      if (waited >= patience.maxMs) {
        this.problem = 'never'
        throw new Error(`${what} did not come`)
      }
      await sleep(patience.stepMs)
    }
  }

  private async readStatusOf(numbers: { trade_no: string; out_trade_no: string }, expected: boolean): Promise<void> {
    if (!this.target.statusUrl) return
    const url = this.target.statusUrl.replace(/\{(out_trade_no|trade_no)\}/g, (_, name: keyof typeof numbers) =>
      encodeURIComponent(numbers[name]),
    )
    let reading = parseStatusResponse('', expected)
    for (let waited = 0; reading.paid !== expected && waited <= statusMs; waited += patience.stepMs) {
      if (waited > 0) await sleep(patience.stepMs)
      const { text } = await this.send({ method: 'GET', url, headers: { accept: 'application/json' } })
      reading = parseStatusResponse(text, expected)
    }
    this.readings.push(reading)
  }
}
