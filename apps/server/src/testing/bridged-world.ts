import type { Scope } from '@coffer/local/testing/postgres.ts'
import { writeChains } from '../domains/chains/sync-chains.ts'
import { decideHeldDeposits } from '../domains/deposits/decide-held-deposits.ts'
import { watchSiblings } from '../domains/deposits/watch-siblings.ts'
import { followedWorld, payer } from './followed.ts'
import { eth, firstRow, rowsOf } from './money.ts'

export const bridged = `0x${'b1'.repeat(20)}`
const siblings = [{ symbol: 'USDC.e', contract: bridged, decimals: 6, of: 'USDC', issuer: 'Test Bridge' }]
/** A chain whose operator lists that token. */
export const listedBridged = { ...eth, tokens: [...eth.tokens, ...siblings.map(({ issuer: _, ...token }) => token)] }
/** A chain with a token that is taken for its USDC. */
export const bridgedEth = { ...eth, siblings }

/** A world in which 5 USDC.e were sent for an order of 10 USDC, and wait for an operator. */
export async function bridgedWorld(scope: Scope) {
  const w = await followedWorld(scope)
  await writeChains(w.deps.pool, [bridgedEth])
  const order = await w.pay({ token: 'USDC' })
  const send = async (amount: bigint) => {
    w.chain.mine([[{ token: bridged, from: payer, to: order.address, amount }]])
    await w.catchUp()
    await w.confirm()
    await decideHeldDeposits(w.deps, w.chain)
    await watchSiblings(w.deps, bridgedEth)
  }
  await send(5_000_000n)
  const deposit = () => firstRow(w.owner, `select * from deposits where asset_id = 'eth:USDC.e' order by seen_at, id`)
  return {
    ...w,
    order,
    send,
    deposit,
    id: (await deposit()).id as string,
    incidents: () =>
      rowsOf(w.owner, 'select kind, detail, resolved_at is null as open from incidents order by created_at'),
    withdrawals: () => rowsOf(w.owner, 'select * from withdrawals'),
  }
}
