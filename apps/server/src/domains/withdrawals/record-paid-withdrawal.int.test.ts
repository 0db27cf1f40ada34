import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { Forwarder, Token } from '@coffer/chains/evm/generated/contracts.ts'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { findCommand, runCommand } from '../../cli/run.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { visitor } from '../../testing/merchants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { atShell, testOperator } from '../../testing/operators.ts'
import { paidWorld } from '../../testing/paid-world.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { resumeChain } from '../deposits/resume-chain.ts'
import { readReconciliationState } from '../ledger/accounted.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { copiedPayoutReason } from '../outgoing/doubt-copied-payouts.ts'
import { resumeWallets } from '../outgoing/wallets.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { approveWithdrawal, rejectWithdrawal, stopWithdrawal } from './decide-withdrawal.ts'
import { withdrawalOwner } from './owner.ts'
import { recordPaidWithdrawal } from './record-paid-withdrawal.ts'

const { accomplished, abnormal, auditing, canceled, transferring } = withdrawalStatus
const shell = atShell('root')

/** What an attempt answered: whether it waits, or why it was refused. */
const outcomeOf = (made: Promise<{ waits: boolean }>): Promise<string> =>
  made.then(
    ({ waits }) => (waits ? 'waits' : 'done'),
    error => {
      if (!(error instanceof Refusal)) throw error
      return error.detail?.en ?? error.reason
    },
  )

/** A restored database whose original goes on to pay from the same wallet. */
async function restoredWorld(t: Parameters<typeof paidWorld>[0]) {
  const w = await paidWorld(t)
  const { deps } = w
  const wallet = privateKeyToAccount(`0x${Buffer.from(w.signer.keys.privateKey('evm', 'hot')).toString('hex')}`)
  /** Sends what the wallet's key signs outside this installation. */
  const signed = async (to: string, data: Hex) => {
    const nonce = Number(await w.call<string>('eth_getTransactionCount', w.hot, 'pending'))
    const terms = { chainId: 31_337, gas: 200_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    return w.call<string>(
      'eth_sendRawTransaction',
      await wallet.signTransaction({ type: 'eip1559', to: to as Hex, data, nonce, ...terms }),
    )
  }
  const transferData = (to: string, amount: bigint) =>
    encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to as Hex, amount] })
  return {
    ...w,
    /** A withdrawal that was due when the database was restored. */
    async doubted(amount: string, to: string) {
      const id = await w.withdraw(amount, to)
      const item = { owner: 'withdrawal' as const, merchant_id: w.merchant.id, id, amount: 1n }
      await tx(deps.pool, (_, uow) => withdrawalOwner(deps).failed(uow, [item], copiedPayoutReason))
      return { id, to, receives: BigInt((await w.read(id)).receives) }
    },
    signed,
    /** The original sends a token from the wallet, without mining it. */
    original: (to: string, amount: bigint, token = w.token) => signed(token, transferData(to, amount)),
    transferData,
    /** The original pays an amount to a receiver two times by one transaction. */
    async twice(to: string, amount: bigint) {
      const approve = { abi: Token.abi, functionName: 'approve', args: [w.forwarder as Hex, 10n ** 12n] } as const
      await signed(w.token, encodeFunctionData(approve))
      await w.mine(1)
      const args = [w.token, [to, to], [amount, amount]] as never
      const txid = await signed(w.forwarder, encodeFunctionData({ abi: Forwarder.abi, functionName: 'spread', args }))
      await w.mine(CONFIRMATIONS + 1)
      await w.pass()
      return txid
    },
    paid: (id: string, txid: string, by = shell) => outcomeOf(recordPaidWithdrawal(deps, { id, txid, by })),
    /** Mines until what is in the pool is final, and follows. */
    async final() {
      await w.mine(CONFIRMATIONS + 1)
      await w.pass()
    },
    gas: async () => {
      const [row] = await rowsOf(
        deps.owner,
        `select coalesce(sum(case when debit_account like 'house/gas/%' then amount else -amount end), 0) as sum
         from ledger_postings where kind = 'gas' and asset_id = 'eth:ETH'`,
      )
      return BigInt(row.sum)
    },
  }
}

const feeOf = async (w: Pick<Awaited<ReturnType<typeof restoredWorld>>, 'call'>, txid: string) => {
  const { gasUsed, effectiveGasPrice } = await w.call<Record<string, string>>('eth_getTransactionReceipt', txid)
  return BigInt(gasUsed!) * BigInt(effectiveGasPrice!)
}

test('what the original paid after the backup is accomplished by its transaction, and ledger and chain agree', async t => {
  const w = await restoredWorld(t)
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const txid = await w.original(to, receives)
  await w.final()
  assert.equal(await w.paid(id, `  ${txid.slice(2).toUpperCase()} `), 'done')
  const row = await w.read(id)
  assert.deepEqual([row.status, row.txid, row.reason, BigInt(row.settled)], [accomplished, txid, '', receives])
  assert.equal(await w.gas(), await feeOf(w, txid))
  const { chain, found, held, verdict } = await w.totals()
  assert.deepEqual([chain, held, verdict], [found, 0n, 'agrees'])
  assert.deepEqual([await w.paid(id, txid), await w.gas()], ['done', await feeOf(w, txid)], 'a second click')
  const typed = await runCommand(w.deps, findCommand(['withdrawal', 'paid', id, txid])!)
  assert.deepEqual([typed.code, typed.text], [0, `Withdrawal ${id} is complete: the transaction has paid it.`])
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
  const events = await rowsOf(w.deps.owner, 'select event, detail, who from withdrawal_events order by seq')
  assert.deepEqual(Object.values(events.at(-1)!), ['found_paid', txid, 'root'])

  // The wallet goes on above the nonce of the original, and expects the coin that it has.
  await resumeWallets(w.deps, 'eth')
  const next = await w.withdraw('10', w.receiver(2))
  await w.final()
  await w.final()
  assert.deepEqual([await w.statusOf(next), (await w.outgoing()).map(each => Number(each.nonce))], [accomplished, [1]])
})

test('only a final transaction of ours that paid exactly this is accepted, and the refusal says so', async t => {
  const w = await restoredWorld(t)
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const other = w.receiver(2)
  assert.match(await w.paid(id, 'yesterday'), /64 hexadecimal digits/)
  assert.match(await w.paid(id, `0x${'1'.repeat(64)}`), /in a block .* at least 3 blocks deep/)
  await w.submit(w.foreign, w.transferData(w.hot, receives))
  const txids = {
    less: await w.original(to, receives - 1n),
    more: await w.original(to, receives + 1n),
    elsewhere: await w.original(other, receives),
    fake: await w.original(to, 0n, w.foreign),
    reverted: await w.original(to, 10n ** 30n),
    stranger: await w.submit(w.token, w.transferData(to, receives)),
    fakeFull: await w.submit(w.foreign, w.transferData(to, receives)),
  }
  await w.mine(1)
  const fake = await w.original(to, receives, w.foreign)
  await w.final()
  const exact = /must have sent exactly [\d.]+ USDT \(token 0x\w+\) from our wallet 0x\w+ to 0x\w+/
  for (const [name, txid] of Object.entries({ ...txids, fake }))
    assert.match(await w.paid(id, txid), name === 'reverted' ? /failed, so it has paid nobody/ : exact, name)
  const right = await w.original(to, receives)
  assert.match(await w.paid(id, right), /in a block/)
  await w.mine(CONFIRMATIONS - 1)
  assert.match(await w.paid(id, right), /in a block/, 'not deep enough')
  await w.final()
  w.deps.pass(2_000_000_000)
  const late = await w.doubted('100', to)
  assert.match(await w.paid(late.id, right), /older than the payout/)
  assert.equal(await w.paid('none', right), 'withdrawal_not_exist')
  assert.equal((await w.read(id)).status, abnormal)
  assert.equal(await w.paid(id, right), 'done')
  assert.equal(await w.paid(id, txids.less), 'withdrawal_cannot_change')
  assert.equal(await w.gas(), await feeOf(w, right), 'nothing was posted for what was refused')
})

test('a transaction that this database sent is not taken for another payout', async t => {
  const w = await restoredWorld(t)
  const to = w.receiver(1)
  // Asked for at the same fee.
  const { id } = await w.doubted('100', to)
  const own = await w.withdraw('100', to)
  await w.final()
  await w.final()
  const { txid } = await w.read(own)
  assert.match(await w.paid(id, txid), /this installation sent the transaction/)
  assert.equal(await w.paid(own, txid), 'done', 'it is paid by it already')
  assert.equal(await w.statusOf(id), abnormal)
})

test('each transfer of a transaction settles one payout, whatever is asked at once, and its fee is posted once', async t => {
  const w = await restoredWorld(t)
  const to = w.receiver(1)
  const three = [await w.doubted('100', to), await w.doubted('100', to), await w.doubted('100', to)]
  const txid = await w.twice(to, three[0]!.receives)
  const outcomes = await Promise.all([...three, ...three].map(({ id }) => w.paid(id, txid)))
  const done = await Promise.all(three.map(({ id }) => w.statusOf(id)))
  assert.deepEqual(done.toSorted(), [accomplished, accomplished, abnormal].toSorted())
  assert.equal(outcomes.filter(each => /settles .+ already/.test(each)).length, 2, outcomes.join('; '))
  assert.equal(await w.gas(), await feeOf(w, txid))
  const { chain, found, held } = await w.totals()
  assert.deepEqual([found, held], [chain, 100_000_000n])
  await assertBooksAgree(w.deps.owner)
})

test('two payouts cannot both be settled by one transfer, nor one be settled and decided otherwise', async t => {
  const w = await restoredWorld(t)
  const to = w.receiver(1)
  const one = await w.doubted('100', to)
  const two = await w.doubted('100', to)
  const txid = await w.original(to, one.receives)
  await w.final()
  const outcomes = await Promise.all([w.paid(one.id, txid), w.paid(two.id, txid)])
  assert.equal(outcomes.filter(each => each === 'done').length, 1, outcomes.join('; '))
  const [rest] = (
    await Promise.all([one, two].map(async each => ({ ...each, status: await w.statusOf(each.id) })))
  ).filter(each => each.status === abnormal)
  const again = await w.original(to, one.receives)
  await w.final()
  const stop = () => stopWithdrawal(w.deps, { id: rest!.id, reason: 'given back' }).then(waits => ({ waits: !waits }))
  const send = () => approveWithdrawal(w.deps, { id: rest!.id, by: shell })
  const raced = await Promise.all([w.paid(rest!.id, again), outcomeOf(stop()), outcomeOf(send())])
  const status = await w.statusOf(rest!.id)
  assert.ok([accomplished, canceled, transferring].includes(status as 5), String(status))
  assert.equal(raced[0] === 'done', status === accomplished, `${raced.join('; ')} ${status}`)
  assert.equal(await w.balance(to), 2n * one.receives, 'nothing was sent')
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})

test('above the limit two operators name the same transaction', async t => {
  const w = await restoredWorld(t)
  w.deps.config.withdrawTwoAbove = 50
  const one = await testOperator(w.deps, 'finance')
  const two = await testOperator(w.deps, 'owner')
  w.deps.pass(2 * 86_400)
  const by = ({ id, email }: typeof one) => ({ operatorId: id, email, role: 'owner' as const })
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const first = await w.original(to, receives)
  const second = await w.original(to, receives)
  await w.final()
  assert.equal(await w.paid(id, first, by(one)), 'waits')
  assert.equal(await w.paid(id, first, by(one)), 'second_operator_needed')
  assert.equal(await w.paid(id, second, by(two)), 'waits', 'another transaction is another word')
  assert.deepEqual([await w.statusOf(id), await w.gas()], [abnormal, 0n])
  assert.equal(await w.paid(id, first, by(two)), 'done')
  const { who } = await firstRow(w.deps.owner, 'select who from found_payouts where owner_id = $1', [id])
  assert.deepEqual(who.toSorted(), [one.email, two.email].toSorted())
  assert.equal((await w.read(id)).txid, first)
})

test('killed anywhere, it has happened whole or not at all', async t => {
  const w = await restoredWorld(t)
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const txid = await w.original(to, receives)
  await w.final()
  for (const statement of [
    /operator_approvals/,
    /into found_payouts/,
    /update withdrawals/,
    /withdrawal_events/,
    /ledger_post/,
  ]) {
    const deps = { ...w.deps, pool: breakOnce(w.deps.pool, statement) }
    await assert.rejects(recordPaidWithdrawal(deps, { id, txid, by: shell }), /killed here/, String(statement))
    assert.deepEqual([await w.statusOf(id), await w.gas()], [abnormal, 0n], String(statement))
  }
  assert.equal(await w.paid(id, txid), 'done')
  await assertBooksAgree(w.deps.owner)
})

test('a deep reorg that takes the transaction away makes the payout abnormal again, until it is named anew', async t => {
  const w = await restoredWorld(t)
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const { number } = await w.chain.head()
  const txid = await w.original(to, receives)
  await w.final()
  assert.equal(await w.paid(id, txid), 'done')
  await w.reorg((await w.chain.head()).number - number, 'lost')
  await w.mine(2)
  await resumeChain(w.deps, { chainId: 'eth' })
  await w.mine()
  await w.pass()
  await w.pass()
  assert.deepEqual([await w.statusOf(id), await w.gas()], [abnormal, 0n])
  const { detail } = await firstRow(w.deps.owner, `select detail from incidents where kind = 'payout_undone'`)
  assert.deepEqual([detail.payouts, detail.txid], [[id], txid])
  const again = await w.original(to, receives)
  await w.final()
  assert.equal(await w.paid(id, again), 'done')
  assert.equal(await w.gas(), await feeOf(w, again))
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})

test('a withdrawal that waited for approval in the backup, and was paid since, is accomplished, too', async t => {
  const w = await restoredWorld(t)
  await w.deps.owner.query(`update merchants set risk_level = 'abnormal'`)
  const to = w.receiver(1)
  const id = await w.withdraw('100', to)
  assert.equal(await w.statusOf(id), auditing)
  const txid = await w.original(to, BigInt((await w.read(id)).receives))
  await w.final()
  assert.equal(await w.paid(id, chainAdapters.evm.showTxid(txid)), 'done')
  assert.equal(await w.statusOf(id), accomplished)
})

test('what was asked of the original after the backup is missing to the unit, until somebody sends it', async t => {
  const w = await restoredWorld(t)
  const { id, to, receives } = await w.doubted('100', w.receiver(1))
  const paid = await w.original(to, receives)
  const unknown = 50_000_000n
  await w.original(w.receiver(9), unknown)
  await w.final()
  const missing = async () => {
    const { chain, found, held, verdict } = await w.totals()
    return { verdict, units: chain - held - found }
  }
  const before = await missing()
  assert.equal(before.verdict, 'shortage')
  assert.equal(before.units, unknown - (100_000_000n - receives), 'what is reserved beyond the payout explains some')
  assert.equal(await w.paid(id, paid), 'done')
  assert.deepEqual(await missing(), { verdict: 'shortage', units: unknown })
  const told = await rowsOf(w.deps.owner, `select kind from incidents where kind = 'shortage'`)
  assert.equal(told.length, 1, 'one incident says so')
  await w.pay([[{ token: w.token, to: w.hot, amount: unknown }]])
  await w.final()
  assert.deepEqual(await missing(), { verdict: 'agrees', units: 0n })
  assert.deepEqual((await readReconciliationState(w.deps)).missing, [])
})

test('what waited for approval in a restored database is doubted: its merchant cannot take back what was paid', async t => {
  const w = await restoredWorld(t)
  await w.deps.owner.query(`update merchants set risk_level = 'abnormal'`)
  const id = await w.withdraw('100', w.receiver(1))
  assert.equal(await w.statusOf(id), auditing)
  await w.deps.owner.query(`insert into switches (name, reason, since) values ('restored:eth', '', 0)`)
  // Before the first pass, too.
  for (const decide of [
    () => cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor }),
    () => approveWithdrawal(w.deps, { id, by: shell }),
    () => rejectWithdrawal(w.deps, { id, who: 'root', reason: 'late' }),
  ])
    await assert.rejects(decide, error => error instanceof Refusal && /was restored/.test(error.detail?.en ?? ''))
  await w.pass()
  const row = await w.read(id)
  assert.deepEqual([row.status, row.reason], [abnormal, copiedPayoutReason])
  const cancel = cancelWithdrawal(w.deps, { merchantId: w.merchant.id, id, from: visitor })
  await assert.rejects(cancel, error => error instanceof Refusal && error.reason === 'withdrawal_cannot_change')
  const txid = await w.original(row.to_address, BigInt(row.receives))
  await w.final()
  assert.equal(await w.paid(id, txid), 'done')
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})

test('a transaction whose block was lost settles nothing more until what it had settled is taken back', async t => {
  const w = await restoredWorld(t)
  const to = w.receiver(1)
  const one = await w.doubted('100', to)
  const two = await w.doubted('100', to)
  const txid = await w.twice(to, one.receives)
  assert.equal(await w.paid(one.id, txid), 'done')
  await w.deps.owner.query('update found_payouts set lost_at = 1')
  assert.equal(await w.paid(two.id, txid), 'busy')
  await w.pass()
  assert.deepEqual([await w.statusOf(one.id), await w.statusOf(two.id), await w.gas()], [abnormal, abnormal, 0n])
  assert.deepEqual([await w.paid(two.id, txid), await w.paid(one.id, txid)], ['done', 'done'])
  assert.equal(await w.gas(), await feeOf(w, txid))
  assert.deepEqual(await checkLedger(w.deps), [])
  await assertBooksAgree(w.deps.owner)
})
