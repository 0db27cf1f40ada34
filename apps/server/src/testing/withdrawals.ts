import type { ProofAction } from '@coffer/contract/codes.ts'
import { availableAccount, groupPostings, houseAccount, makePosting } from '@coffer/core'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { Proof } from '../domains/identity/proofs/check-proof.ts'
import { insertTicket } from '../domains/identity/store.ts'
import { postEntries } from '../domains/ledger/store.ts'
import { requestWithdrawal } from '../domains/withdrawals/request-withdrawal.ts'
import { tx } from '../kit/db.ts'
import { hashSecret, newSecret } from '../kit/secrets.ts'
import { testMerchant, visitor } from './merchants.ts'
import { firstRow, moneyWorld, rowsOf } from './money.ts'

/** An address outside, with its checksum. */
export const outside = '0x00000000000000000000000000000000000000bb'

/** The receipt of a transaction that paid. */
export const paidReceipt = {
  txid: `0x${'ab'.repeat(32)}`,
  blockNumber: 7,
  blockHash: '0x1',
  status: 'success' as const,
  gasUsed: 46_100n,
  gasPrice: 1n,
  fee: 46_100n,
  transfers: [],
}

/** Creates a merchant with 1,000 USDT on eth, and helpers for withdrawals. */
export async function withdrawalWorld(scope: Scope, given: Parameters<typeof moneyWorld>[1] = {}) {
  const world = await moneyWorld(scope, given)
  const { deps, owner, merchant } = world
  let grants = 0

  /** Credits base units of an asset out of nowhere. */
  const grant = (amount: bigint, assetId = 'eth:USDT', merchantId = merchant.id) =>
    tx(deps.pool, async c => {
      const move = makePosting(
        'adjustment',
        houseAccount('chain', assetId),
        availableAccount(merchantId, assetId),
        amount,
      )
      await postEntries(c, [{ group: groupPostings(`grant:${++grants}`, [move]) }], deps.clock())
    })

  /** A proof, by default for one withdrawal, as if a code had been exchanged for it. */
  const proof = async (merchantId = merchant.id, action: ProofAction = 'withdrawal'): Promise<Proof> => {
    const ticket = newSecret()
    await insertTicket(deps.pool, hashSecret(ticket), merchantId, action, deps.clock() + 300)
    return { method: 'ticket', code: ticket }
  }

  type Requested = Parameters<typeof requestWithdrawal>[1]
  /** Requests a withdrawal, by default of USDT on eth to `outside`. Returns its number. */
  const withdraw = async (amount: string, more: Partial<Requested> = {}): Promise<string> =>
    requestWithdrawal(deps, {
      merchantId: merchant.id,
      assetId: 'eth:USDT',
      address: outside,
      amount,
      proof: await proof(more.merchantId),
      from: visitor,
      ...more,
    })

  /** Creates another merchant with 1,000 USDT on eth. */
  const newMerchant = async () => {
    const other = await testMerchant(deps)
    await grant(1_000_000_000n, 'eth:USDT', other.id)
    return other
  }

  await grant(1_000_000_000n)
  return {
    ...world,
    grant,
    newMerchant,
    proof,
    withdraw,
    withdrawal: (id: string) => firstRow(owner, 'select * from withdrawals where id = $1', [id]),
    history: async (id: string): Promise<string[]> =>
      (await rowsOf(owner, 'select event from withdrawal_events where withdrawal_id = $1 order by seq', [id])).map(
        row => row.event,
      ),
    /** Available and held base units of an asset. */
    balances: async (assetId = 'eth:USDT', merchantId = merchant.id): Promise<[string, string]> => {
      const sql = 'select part, balance from ledger_accounts where merchant_id = $1 and asset_id = $2'
      const rows = await rowsOf(owner, sql, [merchantId, assetId])
      const of = (part: string) => rows.find(row => row.part === part)?.balance ?? '0'
      return [of('available'), of('held')]
    },
  }
}

export type WithdrawalWorld = Awaited<ReturnType<typeof withdrawalWorld>>
