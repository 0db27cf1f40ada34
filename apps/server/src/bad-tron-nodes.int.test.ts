import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TRANSFER_TOPIC } from '@coffer/chains/evm/decoding.ts'
import { tronLyingAnywhere } from '@coffer/chains/testing/tron-lies.ts'
import type { TronFacade } from '@coffer/chains/tron/facade.ts'
import { catchUp } from './testing/followed.ts'
import { assertBooksAgree } from './testing/invariants.ts'
import { rowsOf } from './testing/money.ts'
import { CONFIRMATIONS } from './testing/payout-world.ts'
import { tronSweepWorld } from './testing/sweep-world.ts'

type Raw = Record<string, unknown>
type Alter = TronFacade['alter']
/** The address of which the node lies, and the token that is paid to it. */
type About = { usdt: string; token: string }

const word = (hex: string) => hex.slice(2).padStart(64, '0')
const isAbout = (what: string, ...kinds: string[]) => kinds.some(kind => what.toLowerCase().includes(kind))
/** Changes the transactions of a block, or of each block of a range. */
const ofBlocks = (answer: Raw, change: (each: Raw) => Raw[]): Raw => {
  if (answer.block) return { block: (answer.block as Raw[]).map(each => ofBlocks(each, change)) }
  return answer.transactions ? { ...answer, transactions: (answer.transactions as Raw[]).flatMap(change) } : answer
}
const ofInfos = (answer: unknown, change: (info: Raw) => Raw): unknown =>
  Array.isArray(answer) ? answer.map(change) : (answer as Raw).id === undefined ? answer : change(answer as Raw)

/** What the first of three nodes answers in place of the truth. */
const lies: Record<string, (about: About) => Alter> = {
  'something else in every answer': () => {
    const liar = tronLyingAnywhere('the whole server')
    return (what, answer) => liar(what, answer, undefined)
  },
  'nothing that is an answer': () => {
    const malformed = [null, [], {}, '', 0, { id: null, log: null, transactions: null }, [null], 'null']
    let turn = 0
    return () => malformed[turn++ % malformed.length]
  },
  'that nothing was paid': () => (what, answer) => {
    if (isAbout(what, 'getlogs')) return []
    if (isAbout(what, 'transactioninfobyblocknum')) return ofInfos(answer, ({ log, ...info }) => info)
    return isAbout(what, 'getblockby') && !what.startsWith('eth') ? ofBlocks(answer as Raw, () => []) : answer
  },
  'that more was paid':
    ({ usdt }) =>
    (what, answer) => {
      const to = word(usdt)
      const isOurs = (log: Raw) => (log.topics as string[])[2]!.endsWith(to)
      if (isAbout(what, 'getlogs'))
        return (answer as Raw[]).map(log => (isOurs(log) ? { ...log, data: `0x${word('0x5f5e1000')}` } : log))
      if (!isAbout(what, 'transactioninfo')) return answer
      const more = (log: Raw) => (isOurs(log) ? { ...log, data: word('0x5f5e1000') } : log)
      return ofInfos(answer, info => (info.log ? { ...info, log: (info.log as Raw[]).map(more) } : info))
    },
  'a payment that nobody made':
    ({ usdt, token }) =>
    (what, answer) => {
      if (!isAbout(what, 'transactioninfobyblocknum')) return answer
      const topics = [TRANSFER_TOPIC.slice(2), word(`0x${'a1'.repeat(20)}`), word(usdt)]
      const log = { address: token.slice(2), topics, data: word('0x5f5e100') }
      return ofInfos(answer, info => ({ ...info, log: [...((info.log ?? []) as Raw[]), log] }))
    },
  'that all failed': () => (what, answer) => {
    if (isAbout(what, 'getblockby') && !what.startsWith('eth'))
      return ofBlocks(answer as Raw, each => [{ ...each, ret: [{ contractRet: 'OUT_OF_ENERGY' }] }])
    if (what === 'eth_getTransactionReceipt') return answer && { ...(answer as Raw), status: '0x0', logs: [] }
    if (!isAbout(what, 'transactioninfo')) return answer
    return ofInfos(answer, info => ({ ...info, result: 'FAILED', receipt: { result: 'OUT_OF_ENERGY' } }))
  },
  'that no payout is in a block': () => (what, answer) => {
    if (what === 'eth_getTransactionReceipt') return null
    if (isAbout(what, 'infobyid', 'transactionbyid')) return {}
    return what === '/wallet/broadcasthex' ? { code: 'SERVER_BUSY' } : answer
  },
  'prices and balances of its own': () => (what, answer) => {
    if (what === '/wallet/getchainparameters') return { chainParameter: [{ key: 'getEnergyFee', value: 1 }] }
    if (what === '/wallet/triggerconstantcontract') return { ...(answer as Raw), energy_used: 1 }
    if (isAbout(what, 'getaccount')) return { balance: 1, EnergyLimit: 1_000_000_000 }
    return what === 'eth_getBalance' ? '0x1' : what === 'eth_call' ? `0x${word('0x1')}` : answer
  },
}

suite('a bad node of TRON that stands first of three', () => {
  for (const [what, lie] of Object.entries(lies))
    test(`it answers ${what}: deposits are credited and payouts settled once, and nothing stops`, async t => {
      const w = await tronSweepWorld(t, 'burn', 3)
      const usdt = await w.order('USDT')
      const trx = await w.order('TRX')
      await catchUp(w.deps, w.chain)
      const alter = lie({ usdt: usdt.to, token: w.token })
      const told = new Set<string>()
      w.proxies[0]!.alter = (what, answer) => {
        told.add(what)
        return alter(what, answer)
      }
      const payout = await w.ask()
      await w.pass()
      await w.pay([
        [{ token: w.token, to: usdt.to, amount: 100_000_000n }],
        [{ token: null, to: trx.to, amount: 40_000_000n }],
      ])
      await w.mine()
      await w.pass()
      await w.mine(CONFIRMATIONS)
      await w.pass()
      assert.ok(told.size > 3, 'the node is asked')
      const deposits = await rowsOf(w.deps.owner, 'select to_address, amount, state from deposits order by amount')
      assert.deepEqual(
        deposits.filter(each => each.state !== 'dropped').map(each => Object.values(each)),
        [
          [trx.to, '40000000', 'credited'],
          [usdt.to, '100000000', 'credited'],
        ],
      )
      assert.deepEqual(await w.log(payout.id), ['sent', 'in block', 'final'])
      assert.equal(await w.balance(payout.to), payout.amount)
      assert.equal(w.signer.signed.length, 1)
      // What the first node alone has said is named at the most.
      const incidents = await rowsOf(w.deps.owner, `select kind from incidents where kind <> all ('{deposit_denied}')`)
      assert.deepEqual(incidents, [])
      assert.deepEqual(await rowsOf(w.deps.owner, 'select halted from chains'), [{ halted: null }])
      await assertBooksAgree(w.deps.owner)
    })
})
