import { readdirSync, readFileSync } from 'node:fs'
import { Token } from '@coffer/chains/evm/generated/contracts.ts'
import { insertTicket } from '@coffer/server/domains/identity/store.ts'
import { runSendingPass } from '@coffer/server/domains/outgoing/jobs.ts'
import { sweepOwner } from '@coffer/server/domains/sweeps/owner.ts'
import { withdrawalOwner } from '@coffer/server/domains/withdrawals/owner.ts'
import { requestWithdrawal } from '@coffer/server/domains/withdrawals/request-withdrawal.ts'
import { hashSecret, newSecret } from '@coffer/server/kit/secrets.ts'
import { visitor } from '@coffer/server/testing/merchants.ts'
import { sweepWorld } from '@coffer/server/testing/sweep-world.ts'
import { encodeFunctionData, type Hex } from 'viem'
import { type Figure, postgresTime, processorMs, type Scope } from './figure.ts'
import { ownPostgres } from './own-postgres.ts'

const payouts = 400
const sweeps = 200
/** Most blocks until all are final. */
const blocksMax = 60
const usdt = 1_000_000n

type World = Awaited<ReturnType<typeof sweepWorld>>

/**
 * Withdrawals per minute from the request until the transaction is final, and deposits swept, with real commands, keys
 * and contracts on a local chain that mines a block whenever the engine has nothing left to do, beside the same number
 * of bare transfers on that chain.
 */
export async function payoutBench(here: Scope): Promise<Figure[]> {
  const { url } = await ownPostgres(here)
  process.env.COFFER_TEST_PG = url
  const w = await sweepWorld(here)
  const owners = { withdrawal: withdrawalOwner(w.deps), sweep: sweepOwner(w.deps) }
  const refusals = new Map<string, number>()
  const pass = () => runSendingPass(w.deps, w.chain, owners, refusals)
  const rounds = async (work: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<number> => {
    for (let blocks = 0; blocks < blocksMax; blocks++) {
      w.deps.pass(5)
      await work()
      if (await isDone()) return blocks
      await w.mine()
    }
    throw new Error(`not done after ${blocksMax} blocks`)
  }
  // Deposits make the merchant's balance, and are what is swept.
  await w.paid(Array.from({ length: sweeps }, () => 100n * usdt))
  const swept = await measured(w, sweeps, () =>
    rounds(
      async () => {
        await pass()
        await w.sweep()
        await pass()
      },
      () =>
        counts(
          w,
          `select count(*) = ${sweeps} as done from deposits d join sweeps s on s.id = d.sweep_id where s.state = 'swept'`,
        ),
    ),
  )
  const paid = await measured(w, payouts, async () => {
    for (let n = 0; n < payouts; n++) await withdraw(w, n)
    return await rounds(pass, () => counts(w, `select count(*) = ${payouts} as done from withdrawals where status = 5`))
  })
  const bare = await measured(w, payouts, async () => {
    const data = (n: number) =>
      encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [w.receiver(n) as Hex, usdt] })
    const sent = []
    for (let n = 0; n < payouts; n++) sent.push(await w.submit(w.token, data(n)))
    let blocks = 0
    for (const txid of sent)
      while ((await w.call<object | null>('eth_getTransactionReceipt', txid)) === null) {
        await w.call('anvil_mine', '0x1')
        blocks++
      }
    return blocks
  })
  const figure = (what: string, of: typeof bare): Figure => ({
    what,
    value: `${of.perMinute.toFixed(0)} /min`,
    comparison: `${of.blocks} blocks; of processor each: Node and signer ${of.node.toFixed(1)}, PostgreSQL ${of.postgres.toFixed(1)}, the chain ${of.chain.toFixed(1)} ms`,
  })
  return [
    figure(`withdrawals, ${payouts} requested at once, until final`, paid),
    figure(`deposits swept, ${sweeps} at once, until final`, swept),
    figure('bare transfers on this chain, sent and mined', bare),
  ]
}

const counts = async (w: World, sql: string): Promise<boolean> => (await w.deps.owner.query(sql)).rows[0].done

async function measured(w: World, count: number, work: () => Promise<number>) {
  const chain = anvilOf()
  const before = [await postgresTime(w.deps.owner), processorMs(chain)] as const
  const cpu = process.cpuUsage()
  const started = performance.now()
  const blocks = await work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return {
    blocks,
    perMinute: (count / ms) * 60_000,
    node: (user + system) / 1_000 / count,
    postgres: ((await postgresTime(w.deps.owner)) - before[0]) / 1_000 / count,
    chain: (processorMs(chain) - before[1]) / count,
  }
}

/** The process of the only local chain that this one has started. */
function anvilOf(): number {
  const isOurs = (pid: string) => {
    try {
      const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'anvil' && Number(parent) === process.pid
    } catch {
      return false
    }
  }
  const pid = readdirSync('/proc').find(name => /^\d+$/.test(name) && isOurs(name))
  if (!pid) throw new Error('there is no local chain')
  return Number(pid)
}

async function withdraw({ deps, merchant, definition, receiver }: World, n: number): Promise<void> {
  const ticket = newSecret()
  await insertTicket(deps.pool, hashSecret(ticket), merchant.id, 'withdrawal', deps.clock() + 300)
  await requestWithdrawal(deps, {
    merchantId: merchant.id,
    assetId: `${definition.id}:USDT`,
    address: receiver(n),
    amount: '2',
    proof: { method: 'ticket', code: ticket },
    from: visitor,
  })
}
