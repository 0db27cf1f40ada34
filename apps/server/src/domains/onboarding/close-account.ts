import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import { isDust } from '@coffer/core'
import type { Deps } from '../../deps.ts'
import { rolesOfAudience } from '../../kit/audience.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { readMember } from '../../kit/member.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { deleteApplications } from '../applications/store.ts'
import { endPerson } from '../identity/end-person.ts'
import { checkProof, type Proof } from '../identity/proofs/check-proof.ts'
import { readBalances, readMerchantHoldings } from '../ledger/store.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { requireActiveMerchant } from '../merchants/active-merchant.ts'
import { accountsOfRoles, changeMerchant, lockMerchantExclusively } from '../merchants/store.ts'
import { endSessionsOfShop } from '../people/sessions.ts'
import { countOwnersOfShop, lockPeopleOfShop, removeMembersOfShop } from '../people/store.ts'
import { quoteInUsdt } from '../prices/locked-rates.ts'

const blocks = ['balance', 'deposits', 'payments'] as const

type Rates = Awaited<ReturnType<typeof quoteInUsdt>>

/** What stands in the way of closing an account, and the balances that are too small to be withdrawn. */
interface Standing {
  blocked_by: ((typeof blocks)[number] | 'owners')[]
  dust: { token: string; chain: string; amount: string }[]
}

const balancesOf = async (c: Queryable, merchantId: string) =>
  (await readBalances(c, merchantId)).filter(({ available, held }) => available + held > 0n)

/** Current rates of what a merchant has. */
const ratesOf = async (deps: Deps, merchantId: string): Promise<Rates> =>
  quoteInUsdt(
    deps,
    (await balancesOf(deps.pool, merchantId)).map(({ price_of }) => price_of),
  )

async function standing(c: Queryable, merchantId: string, rates: Rates): Promise<Standing> {
  const holdings = (await readMerchantHoldings(c, merchantId))!
  const rows = holdings.balance ? await balancesOf(c, merchantId) : []
  const dust = rows.filter(({ price_of, available, held, decimals }) => {
    const rate = rates[price_of]
    return held === 0n && rate && isDust(available, { decimals, price: rate.price })
  })
  const held = blocks.filter(each => holdings[each] && (each !== 'balance' || dust.length < rows.length))
  return {
    blocked_by: (await countOwnersOfShop(c, merchantId)) > 1 ? [...held, 'owners'] : held,
    dust: dust.map(({ token, chain, available, decimals }) => {
      const amount = formatDecimal(available, decimals)
      return { token, chain: chain ?? '', amount }
    }),
  }
}

/** Reports what stands in the way of closing an account, and what would be given up. */
export const readAccountClosingObstacles = async (deps: Deps, merchantId: string): Promise<Standing> =>
  standing(deps.pool, merchantId, await ratesOf(deps, merchantId))

/**
 * Closes the account: ends sessions, revokes keys, and frees the mailbox and the third-party sign-in for a new account.
 * Records stay. Refused while the account has a balance, payments in progress or another owner.
 * `forfeit` gives up balances that are too small to be withdrawn: they stay booked to the closed account, and the audit
 * log names them. Throws Refusal('account_not_empty') or Refusal('shop_of_other_owners').
 */
export async function closeAccount(
  deps: Deps,
  input: { merchantId: string; proof: Proof; forfeit?: boolean | undefined; from: Visitor },
): Promise<void> {
  const { merchantId, forfeit = false } = input
  const consume = await checkProof(deps, {
    by: readMember(merchantId, input.from),
    proof: input.proof,
    action: 'close-account',
  })
  const rates = await ratesOf(deps, merchantId)
  await tx(deps.pool, async (c, uow) => {
    requireActiveMerchant(await lockMerchantExclusively(c, merchantId))
    const { blocked_by, dust } = await standing(c, merchantId, rates)
    if (blocked_by.includes('owners')) throw new Refusal('shop_of_other_owners')
    if (blocked_by.length > 0 || (dust.length > 0 && !forfeit)) throw new Refusal('account_not_empty')
    await consume(c)
    const forfeited = dust.map(({ amount, token, chain }) => `${amount} ${token} ${chain}`).join(', ')
    recordEvent(deps, uow, {
      merchantId,
      type: 'closed',
      from: input.from,
      ...(forfeited && { params: { forfeited } }),
      isExpected: true,
    })
    const about = { merchant_id: merchantId, name: 'account_closed', params: {}, created_at: deps.clock() } as const
    const told = await accountsOfRoles(c, merchantId, rolesOfAudience('shop'))
    uow.add(
      events,
      told.map(({ person_id }) => ({ ...about, person_id })),
    )
    await deleteApplications(c, merchantId, deps.clock())
    await endSessionsOfShop(c, merchantId)
    await lockPeopleOfShop(c, merchantId)
    for (const { person_id: personId } of await removeMembersOfShop(c, merchantId, deps.clock()))
      await endPerson(deps, uow, { personId, merchantId, from: input.from })
    await changeMerchant(c, merchantId, { deleted_at: deps.clock() })
  })
}
