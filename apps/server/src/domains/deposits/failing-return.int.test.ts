import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsdtLike } from '@coffer/chains/evm/generated/contracts.ts'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { catchUp } from '../../testing/followed.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { writeChains } from '../chains/sync-chains.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { returnSiblingDeposit } from './decide-sibling.ts'

/* What becomes of a deposit that is on its way back to its sender, on a real chain. */

const sender = `0x${'1d'.repeat(20)}` as const
const who = 'ops@example.com'
const hour = 3_600

/** A world in which 50 of a sibling, whose issuer is its sender, wait for an operator. */
async function world(t: Parameters<typeof sweepWorld>[0]) {
  const token = getContractAddress({ from: sender, nonce: 0n }).toLowerCase()
  const w = await sweepWorld(t, {
    siblings: () => [{ symbol: 'USDT.e', contract: token, decimals: 6, of: 'USDT', issuer: 'Test Bridge' }],
  })
  Object.assign(w.owners, { withdrawal: withdrawalOwner(w.deps) })
  const abi = UsdtLike.abi as Abi
  const send = async (to: string | null, data: Hex) => {
    const terms = { gas: '0x4c4b40', gasPrice: '0xe8d4a51000' }
    await w.call('eth_sendTransaction', { from: sender, ...(to && { to }), data, ...terms })
    await w.mine(CONFIRMATIONS)
  }
  const write = (functionName: string, ...args: unknown[]) =>
    send(token, encodeFunctionData({ abi, functionName, args }))
  await w.call('anvil_setBalance', sender, `0x${(10n ** 20n).toString(16)}`)
  await w.call('anvil_impersonateAccount', sender)
  await send(null, encodeDeployData({ abi, bytecode: UsdtLike.bytecode as Hex, args: ['Bridged', 'USDT.e', 6] }))
  await write('issue', sender, 1_000_000_000n)
  const { to } = await w.order('USDT')
  await catchUp(w.deps, w.chain)
  await write('transfer', to, 50_000_000n)
  const { id, from_address } = await firstRow(w.deps.owner, 'select * from deposits')
  assert.equal(from_address, sender)
  const incidents = () =>
    rowsOf(w.deps.owner, 'select kind, detail, resolved_at is null as open from incidents order by created_at, id')
  return {
    ...w,
    token,
    to,
    write,
    depositId: id as string,
    incidents,
    open: async () => (await incidents()).filter(each => each.open).map(each => each.kind),
    back: () => returnSiblingDeposit(w.deps, { depositId: id, who }),
    withdrawal: () => firstRow(w.deps.owner, 'select status, reason from withdrawals'),
    sound: async () => {
      assert.deepEqual(await checkLedger(w.deps), [])
      assert.deepEqual(
        (await reconcileChain(w.deps, w.chain)).filter(each => each.symbol === 'USDT.e').map(each => each.verdict),
        ['agrees'],
      )
    },
  }
}

/** A token of which everybody has some, and that reverts when it is to move. */
const refusing = '0x5f3560e01c6370a08231146011575f5ffd5b633b9aca005f5260205ff3'

test('a return waits while its token is paused, or its issuer lists our wallet, says so, and is paid once that has passed', async t => {
  const w = await world(t)
  await w.back()
  await w.write('setPaused', true)
  w.deps.pass(hour)
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.transferring)
  assert.ok((await w.open()).includes('issuer_stops'))
  await w.write('setPaused', false)
  await w.write('setBlackListed', w.hot, true)
  w.deps.pass(24 * hour)
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.transferring)
  await w.write('setBlackListed', w.hot, false)
  w.deps.pass(24 * hour)
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.accomplished)
  assert.deepEqual(await w.open(), [])
  await w.sound()
})

test('a return whose deposit address the issuer lists waits, and says what is blocked', async t => {
  const w = await world(t)
  await w.back()
  await w.write('setBlackListed', w.to, true)
  w.deps.pass(hour)
  await w.settle()
  w.deps.pass(hour)
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.transferring)
  assert.deepEqual(await w.open(), ['deposit_blocked', 'wallet_short'])
})

test('a return goes on when its token is accepted meanwhile, and while its merchant is frozen', async t => {
  const w = await world(t)
  await w.back()
  const { siblings = [], ...rest } = w.definition
  const listed = siblings.map(({ symbol, contract, decimals, of }) => ({ symbol, contract, decimals, of }))
  await writeChains(w.deps.pool, [{ ...rest, tokens: [...rest.tokens, ...listed] }])
  await w.deps.owner.query('update merchants set frozen = true')
  w.deps.pass(hour)
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.accomplished)
  assert.deepEqual(await w.open(), [])
  await w.sound()
})

test('a return waits while its chain is halted, and is paid once, after that', async t => {
  const w = await world(t)
  await w.back()
  await w.deps.owner.query(`update chains set halted = 'deep_reorg | 1'`)
  w.deps.pass(hour)
  for (let i = 0; i < 3; i++) await w.pass()
  assert.deepEqual(await w.outgoing(), [])
  assert.equal((await w.back()).waits, false, 'it is decided already')
  await w.deps.owner.query('update chains set halted = null')
  await w.settle()
  assert.equal((await w.withdrawal()).status, withdrawalStatus.accomplished)
  assert.equal((await w.outgoing()).filter(each => each.intent.kind === 'transfer').length, 1)
  await w.sound()
})

test('a return that its sender refuses ends with an incident that names it and its deposit: the merchant has the money', async t => {
  const w = await world(t)
  await w.write('transfer', w.hot, 60_000_000n)
  const { id } = await w.back()
  await w.call('anvil_setCode', w.token, refusing)
  for (let i = 0; i < 4; i++) {
    w.deps.pass(90)
    await w.pass()
    await w.mine(CONFIRMATIONS)
  }
  const reason = 'the destination refuses it'
  assert.deepEqual(await w.withdrawal(), { status: withdrawalStatus.canceled, reason })
  assert.deepEqual(
    (await w.incidents()).map(({ kind, detail }) => [kind, detail]),
    [['return_voided', { withdrawal: id, deposit_id: w.depositId, reason }]],
  )
  assert.deepEqual(await checkLedger(w.deps), [])
})
