import { describeSignedDecision } from '@coffer/contract/approvals/signed-decision.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { StoredPolicyRule } from '@coffer/contract/policies/routes.ts'
import { decideApprovals } from '../domains/approvals/decide-approvals.ts'
import { readOwnApprovals } from '../domains/approvals/list-approvals.ts'
import { requestPasskeyAssertion } from '../domains/identity/factors/passkeys.ts'
import { merchantPasskeys } from '../domains/identity/passkeys/store.ts'
import type { Proof } from '../domains/identity/proofs/check-proof.ts'
import { insertPasskey } from '../domains/people/passkeys.ts'
import { savePolicy } from '../domains/policies/save-policy.ts'
import { readWithdrawals } from '../domains/withdrawals/list.ts'
import { presentWithdrawal } from '../domains/withdrawals/present.ts'
import { newId } from '../kit/ids.ts'
import { visitor } from './merchants.ts'
import { type SoftPasskey, softPasskey } from './passkeys.ts'
import { withdrawalWorld } from './withdrawals.ts'

const day = 86_400

/** A person of a shop, with what decisions take. */
export interface Person {
  id: string
  email: string
  session: { personId: string; merchantId: string }
}

type Decision = Parameters<typeof decideApprovals>[1]

type WithdrawalWorld = Awaited<ReturnType<typeof withdrawalWorld>>

/** A visitor who is signed in as a person. */
const fromOf = ({ session }: Person) => ({ ...visitor, session: { name: '', ...session } })

/** A shop with 1,000 USDT whose owner opened it long ago, and people who work for it. */
export async function approvalWorld(
  scope: Parameters<typeof withdrawalWorld>[0],
  given: Parameters<typeof withdrawalWorld>[1] = {},
) {
  const world = await withdrawalWorld(scope, {
    ...given,
    config: { publicUrl: 'https://pay.example', ...given.config },
  })
  const { deps, merchant, owner, proof } = world
  deps.pass(2 * day)
  const ann: Person = { id: merchant.id, email: merchant.email, session: merchant.session }
  return {
    ...world,
    ...addPeople(world),
    ...makeDecisions(world),
    ann,
    fromOf,
    /** Puts rules into force at once. */
    inForce: (...rules: StoredPolicyRule[]) =>
      owner.query(
        'insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, $2, $3, $4, $4)',
        [merchant.id, newId(), JSON.stringify(rules), deps.clock()],
      ),
    /** Saves rules as the owner. */
    save: async (...rules: StoredPolicyRule[]) => {
      const confirmed = await proof(merchant.id, 'withdrawal-settings')
      return savePolicy(deps, { merchantId: merchant.id, rules, proof: confirmed, from: visitor })
    },
    ask: async (person: Person, amount: string, more: Parameters<typeof world.withdraw>[1] = {}) =>
      world.withdraw(amount, { proof: await proof(person.id), from: fromOf(person), ...more }),
    /** The numbers of what waits for a person. */
    queue: async ({ session }: Person) => (await readOwnApprovals(deps, session)).map(({ id }) => id),
    status: async (id: string): Promise<number> => (await world.withdrawal(id)).status,
  }
}

const addPeople = ({ deps, owner, merchant }: WithdrawalWorld) => ({
  /** Adds a person, who has been a member for long; `since` is in seconds before now. */
  join: async (role: MerchantRole, { email, since = 2 * day }: { email?: string; since?: number } = {}) => {
    const id = newId()
    const address = email ?? `${id}@shop.example`
    const now = deps.clock()
    await owner.query(`insert into persons (id, realm, email, created_at) values ($1, 'shop', $2, $3)`, [
      id,
      address,
      now,
    ])
    await owner.query(
      'insert into members (person_id, merchant_id, role, since, created_at) values ($1, $2, $3, $4, $4)',
      [id, merchant.id, role, now - since],
    )
    return { id, email: address, session: { personId: id, merchantId: merchant.id } } satisfies Person
  },

  /** Gives a person a passkey. */
  addPasskey: async ({ id }: Person): Promise<SoftPasskey> => {
    const key = softPasskey()
    const offer = await merchantPasskeys.offer(deps, { id, name: id })
    const { passkey } = await merchantPasskeys.verifyNew(deps, id, key.create(offer))
    const { id: credential, public_key, counter } = passkey
    await insertPasskey(owner, id, credential, 'Key', public_key, counter, [], false, deps.clock(), 'pay.example')
    return key
  },
})

const makeDecisions = ({ deps, merchant, proof }: WithdrawalWorld) => ({
  /** Signs with a passkey for a decision about withdrawals as they are, or as if they were shown otherwise. */
  sign: async (
    key: SoftPasskey,
    { session }: Person,
    ids: readonly string[],
    decision: Decision['decision'] = 'approve',
    changed: { amount?: string; address?: string } = {},
  ): Promise<Proof> => {
    const rows = await readWithdrawals(deps.pool, merchant.id, ids)
    const shown = rows.map(row => ({ ...presentWithdrawal(row), ...changed }))
    const request = { action: 'approval' as const, data: describeSignedDecision(decision, shown) }
    const options = await requestPasskeyAssertion(deps, session as never, request)
    return { method: 'passkey', assertion: key.sign(options) }
  },

  /** Decides with a code that was exchanged for a ticket; by default approves. */
  decide: async (
    person: Person,
    ids: readonly string[],
    { on = deps, ...more }: Partial<Decision> & { on?: typeof deps } = {},
  ) =>
    decideApprovals(on, {
      merchantId: person.session.merchantId,
      ids,
      decision: 'approve',
      proof: await proof(person.id, 'approval'),
      from: fromOf(person),
      ...more,
    }),
})
