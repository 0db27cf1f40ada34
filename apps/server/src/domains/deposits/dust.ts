import type { Transfer } from '@coffer/chains'
import { run, toJson } from '../../kit/db.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import type { ChainAssets } from '../chains/assets.ts'
import { reconciledTxidPrefix } from '../payments/to-deposit-view.ts'
import type { DepositBatch } from './deposit-batch.ts'
import type { TransferMatch } from './store.ts'

export type ObservedTransfer = { match: TransferMatch; transfer: Transfer }

interface Reading {
  final: number
  assets: ChainAssets
  repairs: boolean
  aside?: Set<string>
}

/**
 * Leaves out transfers below the minimum of their asset, unless one is stored or is what its payment still needs. Final
 * ones of tokens are set aside: counted for their address, and made one deposit once together they reach the minimum,
 * or what the payment needs. Native coin is not counted, since balances show it. The chain must be locked.
 */
export async function setDustAside(
  uow: UnitOfWork,
  { final, assets, repairs, aside }: Reading,
  observed: readonly ObservedTransfer[],
  { isKnown, batch }: { isKnown: (transfer: Transfer) => boolean; batch: DepositBatch },
): Promise<readonly ObservedTransfer[]> {
  if (![...assets.values()].some(each => each.minimum > 0n)) return observed
  const needs = new Map<string, bigint>()
  const needed = ({ trade_no, asset_id }: TransferMatch) =>
    needs.get(String(trade_no)) ?? batch.needed(trade_no, asset_id)
  const pays = (match: TransferMatch, amount: bigint) => {
    const need = needed(match)
    return amount >= assets.get(match.asset_id)!.minimum || (need > 0n && amount >= need)
  }
  const counted: ObservedTransfer[] = []
  const settled: ObservedTransfer[] = []
  const dust = new Set<ObservedTransfer>()
  for (const each of observed) {
    const { match, transfer } = each
    // guard: dust
    if (isKnown(transfer) || pays(match, transfer.amount)) {
      counted.push(each)
      const pending = isKnown(transfer) ? 0n : transfer.amount
      if (needed(match) > 0n) needs.set(String(match.trade_no), needed(match) - pending)
    } else {
      dust.add(each)
      if (transfer.token === null) aside?.add(transfer.to)
    }
    if (transfer.token !== null && transfer.blockNumber <= final) settled.push(each)
  }
  if (repairs) return counted
  const rows = []
  for (const group of Map.groupBy(settled, ({ match, transfer }) => `${match.asset_id} ${transfer.to}`).values()) {
    const { match, transfer } = group.at(-1)!
    const fresh = group.filter(each => dust.has(each) && each.transfer.blockNumber > match.asideTo)
    const added = fresh.reduce((sum, each) => sum + each.transfer.amount, 0n)
    const sum = match.aside + added
    // guard: dust-together
    const isBooked = sum > 0n && pays(match, sum)
    if (isBooked) counted.push(together(match, transfer, sum))
    if (added > 0n || isBooked)
      rows.push({
        asset_id: match.asset_id,
        address: transfer.to,
        merchant_id: match.merchant_id,
        n: fresh.length,
        amount: added,
        aside: isBooked ? 0n : sum,
        block: transfer.blockNumber,
      })
  }
  if (rows.length > 0) await note(uow.c, observed[0]!.transfer.chain, toJson(rows))
  return counted.sort(
    (a, b) => a.transfer.blockNumber - b.transfer.blockNumber || a.transfer.logIndex - b.transfer.logIndex,
  )
}

/** What was set aside at an address as one transfer, in the block of the last. Its transactions are many. */
const together = (match: TransferMatch, transfer: Transfer, amount: bigint): ObservedTransfer => ({
  match: { ...match, trade_no: match.leased ? match.trade_no : null },
  transfer: {
    ...transfer,
    txid: `${reconciledTxidPrefix}${transfer.blockNumber}:${transfer.blockHash.slice(2, 18)}`,
    ordinal: match.key_index,
    logIndex: -1,
    from: '',
    amount,
  },
})

const note = run(
  'dust-note',
  `insert into dust as u (chain_id, asset_id, address, merchant_id, n, amount, aside, last_block)
   select $1, asset_id, address, merchant_id, n, amount, aside, block
   from json_to_recordset($2::json) as r (asset_id text, address text, merchant_id text, n int, amount numeric, aside numeric, block bigint)
   on conflict (chain_id, asset_id, address) do update set n = u.n + excluded.n, amount = u.amount + excluded.amount,
     aside = excluded.aside, last_block = greatest(u.last_block, excluded.last_block)`,
)
