import { chainAdapters } from '@coffer/chains'
import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { runSendingPass } from '../../domains/outgoing/jobs.ts'
import { createSendingFor } from '../../domains/outgoing/kinds.ts'
import { isPayable, type PayableChain } from '../../domains/outgoing/sender.ts'
import { refundOwner } from '../../domains/refunds/owner.ts'
import { requestRefund } from '../../domains/refunds/request-refund.ts'
import { readPaymentSenders } from '../../domains/refunds/store.ts'
import { sweepOwner } from '../../domains/sweeps/owner.ts'
import { sweepChain } from '../../domains/sweeps/sweep-chain.ts'
import { sendTransfer } from '../../domains/transfers/send-transfer.ts'
import { cancelWithdrawal } from '../../domains/withdrawals/cancel-withdrawal.ts'
import { withdrawalOwner } from '../../domains/withdrawals/owner.ts'
import { requestWithdrawal } from '../../domains/withdrawals/request-withdrawal.ts'
import { readAvailableBalance } from '../../domains/withdrawals/store.ts'
import { first, type Queryable } from '../../kit/db.ts'
import type { OutgoingOwners } from '../../owner.ts'
import type { SandboxInbox } from '../inbox.ts'
import { type DemoShop, demoVisitor, requestMailedProof } from './shop.ts'

/** The shop's own wallets, one for each chain. */
const treasuries = ['0x7a3f0b6c1d92e4857f60a1b3c5d7e9f012345678', '0x51c8e2f4a6b80d9c7e5f31a2b4c6d8e0f9172635']
const hour = 3_600
/** Most passes of the engine until a payout is final: gas first, then the sweep, then the payout. */
const passes = 8

const lastPaid = first(
  'demo-refundable',
  `select p.trade_no from payments p where p.merchant_id = $1 and p.status = 2 and p.exception = $2 and p.created_at > $3
     and p.created_at < $4 and p.asset_id like '%:USDT' and not exists (select 1 from payment_refunds r where r.trade_no = p.trade_no)
   order by p.created_at desc limit 1`,
)

const underWay = first(
  'demo-under-way',
  `select 1 as one where exists (select from outgoing where state in ('assigned', 'sent', 'in_block'))
     or exists (select from sweeps where state in ('funding', 'funded', 'sent'))
     or exists (select from withdrawals where status in (1, 3, 4)) or exists (select from refunds where status in (1, 3, 4))`,
)
const isUnderWay = async (c: Queryable) => (await underWay(c)) !== undefined

interface Till {
  deps: Deps
  shop: DemoShop
  inbox: SandboxInbox
  chains: PayableChain[]
  owners: OutgoingOwners
  setClock: (time: number) => void
  /** Confirms and reads all that the chains have. */
  confirm: () => Promise<void>
}

/**
 * Returns what plays the money that leaves the shop on a day, given the day's number and a time (Unix seconds): the
 * weekly withdrawal, refunds of surplus and of returned goods, and the roaster's share. Takes about two minutes of the
 * demo's time.
 */
export function makeDailyPayouts(deps: Deps, given: Omit<Till, 'deps' | 'chains' | 'owners'>) {
  const chains = [...deps.chains.values()].filter(isPayable).filter(chain => createSendingFor(chain).kind === 'evm')
  const owners: OutgoingOwners = {
    withdrawal: withdrawalOwner(deps),
    refund: refundOwner(deps),
    sweep: sweepOwner(deps),
  }
  const till: Till = { ...given, deps, chains, owners }
  return async (day: number, at: number): Promise<void> => {
    const week = Math.floor(day / 7)
    const isDue = [day % 7 === 1 && day > 1, day % 9 === 5, day % 6 === 4, day % 30 === 9]
    if (!isDue.some(Boolean)) return
    if (isDue[0]) {
      const id = await withdraw(till, week, at)
      // Once somebody changes their mind.
      if (id && week === 3)
        await cancelWithdrawal(deps, { merchantId: till.shop.account.merchantId, id, from: demoVisitor })
    }
    if (isDue[1]) await refund(till, at + 1 * 5, 'none')
    if (isDue[2]) await refund(till, at + 2 * 5, 'over')
    if (isDue[3]) await transfer(till, at + 3 * 5)
    await settle(till, at + 4 * 5)
  }
}

/** Sweeps, pays and confirms what is due, from a time on. */
async function settle({ deps, chains, owners, setClock, confirm }: Till, at: number): Promise<void> {
  setClock(at)
  // Also when nothing was requested, as what was paid is swept.
  await deps.prices.refresh()
  for (let pass = 0; pass < passes; pass++) {
    for (const chain of chains) {
      await runSendingPass(deps, chain, owners, new Map())
      await sweepChain(deps, chain, owners)
      await runSendingPass(deps, chain, owners, new Map())
    }
    await confirm()
    if (!(await isUnderWay(deps.pool))) return
  }
}

/**
 * The network on which the shop has most USDT, and a part of that (per cent) in whole USDT, as a person asks, up to a
 * limit.
 */
async function findRichest({ deps, shop, chains }: Till, part: number, most: number) {
  const { merchantId } = shop.account
  const all = await Promise.all(
    chains.map(async ({ definition }) => {
      const assetId = `${definition.id}:USDT`
      const units = (await readAvailableBalance(deps.pool, merchantId, assetId))?.balance ?? 0n
      return { definition, assetId, balance: Number(formatDecimal(units, definition.tokens[0]!.decimals)) }
    }),
  )
  const found = all.sort((a, b) => b.balance - a.balance)[0]!
  return { ...found, whole: Math.floor(Math.min((found.balance * part) / 100, most)) }
}

async function withdraw(till: Till, index: number, at: number): Promise<string | undefined> {
  const { deps, shop, setClock } = till
  const { definition, assetId, whole } = await findRichest(till, 70, 9_000)
  if (whole < 50) return
  setClock(at)
  await deps.prices.refresh()
  return await requestWithdrawal(deps, {
    merchantId: shop.account.merchantId,
    assetId,
    address: chainAdapters[definition.kind].address.show(treasuries[index % treasuries.length]!),
    amount: String(whole),
    remark: 'Weekly to the treasury',
    proof: await requestMailedProof(deps, till.inbox, shop.account, emailCodePurpose.withdrawal),
    from: demoVisitor,
  })
}

async function refund({ deps, shop, inbox, setClock }: Till, at: number, exception: 'over' | 'none'): Promise<void> {
  const { merchantId } = shop.account
  const paid = await lastPaid(deps.pool, merchantId, exception, at - 96 * hour, at - 2 * hour)
  const [sender] = paid ? await readPaymentSenders(deps.pool, merchantId, paid.trade_no) : []
  if (!paid || !sender) return
  setClock(at)
  await deps.prices.refresh()
  await requestRefund(deps, {
    merchantId,
    tradeNo: paid.trade_no,
    address: sender.from_address,
    kind: exception === 'over' ? 'surplus' : 'all',
    basis: 'token',
    gasPayer: 'merchant',
    reason: exception === 'over' ? 'Paid too much' : 'Goods returned',
    proof: await requestMailedProof(deps, inbox, shop.account, emailCodePurpose.withdrawal),
    from: demoVisitor,
  })
}

async function transfer(till: Till, at: number): Promise<void> {
  const { deps, shop, setClock } = till
  const { assetId, whole } = await findRichest(till, 60, 250)
  if (whole < 1) return
  setClock(at)
  await deps.prices.refresh()
  await sendTransfer(deps, {
    merchantId: shop.account.merchantId,
    account: shop.roaster.email,
    assetId,
    amount: String(whole),
    note: 'Green coffee, monthly share',
    proof: await requestMailedProof(deps, till.inbox, shop.account, emailCodePurpose.transfer),
    requestKey: undefined,
    from: demoVisitor,
  })
}
