import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../../deps.ts'
import type { Queryable } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { requireWorkByIp } from '../work/work.ts'
import {
  assertionOptions,
  type PasskeyStore,
  passkeySite,
  registrationOptions,
  requirePasskeySite,
  type StoredPasskey,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts'

const ipLimit = { max: 100, seconds: 900 }

interface HeldPasskey extends StoredPasskey {
  name: string
  synced: boolean
  created_at: number
  /** Set once a copy of it was noticed. */
  blocked_at: number | null
}

/** What differs between the kinds of accounts that hold passkeys. */
interface Holders<P extends HeldPasskey, S extends object> {
  kind: 'merchant' | 'operator'
  /** What a passkey signs for at a sign-in. */
  signIn: string
  /** The site of their passkeys. */
  url: (deps: Deps) => string
  /** Reads the passkeys of a holder, the oldest first. */
  of: (c: Queryable, holderId: string) => Promise<P[]>
  /** What the list shows besides. */
  more: (passkey: P) => Promise<S>
  /** Passkeys of one holder or, at a sign-in, of all. */
  store: (deps: Deps, holderId: string | null, from: Visitor | null) => PasskeyStore<P>
}

/** A signature, the action with its data that it was requested for, and where it comes from. */
interface Signed {
  action: string
  data?: Record<string, string> | undefined
  response: PasskeyAssertion
  field?: string
  from: Visitor | null
}

/** Returns what every kind of holder does with passkeys. */
export const createPasskeyService = <P extends HeldPasskey, S extends object>(holders: Holders<P, S>) => ({
  ...registerPasskeys(holders),
  ...confirmActions(holders),
  ...signInByPasskey(holders),
})

const ownerOf = (kind: string, holderId: string) => `${kind}:${holderId}`

/** The passkeys of a holder, without those of which a copy was noticed. */
const readUsable = async <P extends HeldPasskey, S extends object>(
  { of }: Holders<P, S>,
  c: Queryable,
  holderId: string,
) => (await of(c, holderId)).filter(each => each.blocked_at === null)

/** How a holder makes passkeys and sees them. */
function registerPasskeys<P extends HeldPasskey, S extends object>(holders: Holders<P, S>) {
  const { kind, url, of, more } = holders
  const newPasskey = (holderId: string) => ({ owner: ownerOf(kind, holderId), action: 'passkey-new' })

  return {
    /** Whether a holder has a passkey that may be used. */
    has: async (c: Queryable, holderId: string) => (await readUsable(holders, c, holderId)).length > 0,

    /** Lists the passkeys of a holder. `available`: whether browsers can use passkeys at this site. */
    list: async (deps: Deps, holderId: string) => {
      const rows = await of(deps.pool, holderId)
      return {
        available: passkeySite(url(deps)) !== null,
        list: await Promise.all(
          rows.map(async row => ({
            id: row.id,
            name: row.name,
            synced: row.synced,
            created_time: row.created_at,
            last_used: row.last_used ?? 0,
            blocked: row.blocked_at !== null,
            ...(await more(row)),
          })),
        ),
      }
    },

    /** Returns what a browser needs to make a passkey. Nothing is stored. */
    offer: async (deps: Deps, user: { id: string; name: string }) => {
      const site = requirePasskeySite(url(deps))
      return registrationOptions(deps, site, {
        user,
        existing: await of(deps.pool, user.id),
        purpose: newPasskey(user.id),
      })
    },

    /** Verifies a new passkey, as `verifyRegistration` does. */
    verifyNew: (deps: Deps, holderId: string, response: PasskeyRegistration) =>
      verifyRegistration(deps, requirePasskeySite(url(deps)), { purpose: newPasskey(holderId), response }),
  }
}

/** How a passkey confirms an action. */
function confirmActions<P extends HeldPasskey, S extends object>(holders: Holders<P, S>) {
  const { kind, url, store } = holders
  const purposeOf = (holderId: string, { action, data }: Pick<Signed, 'action' | 'data'>) => ({
    owner: ownerOf(kind, holderId),
    action,
    data,
  })

  return {
    /**
     * Returns what a browser needs to sign for an action with its data. Throws Refusal('not_bound') without a passkey.
     */
    ask: async (deps: Deps, holderId: string, { action, data }: Pick<Signed, 'action' | 'data'>) => {
      const site = requirePasskeySite(url(deps))
      const allowed = await readUsable(holders, deps.pool, holderId)
      if (allowed.length === 0) throw new Refusal('not_bound')
      return assertionOptions(deps, site, { purpose: purposeOf(holderId, { action, data }), allowed })
    },

    /**
     * Verifies a signature for an action with its data. The result is to be consumed in the transaction of the action.
     */
    verify: (deps: Deps, holderId: string, { action, data, response, field, from }: Signed) =>
      verifyAssertion(deps, requirePasskeySite(url(deps)), store(deps, holderId, from), {
        purpose: purposeOf(holderId, { action, data }),
        response,
        ...(field !== undefined && { field }),
      }),
  }
}

/** How a passkey signs its holder in. */
function signInByPasskey<P extends HeldPasskey, S extends object>({ kind, signIn, url, store }: Holders<P, S>) {
  const purpose = { owner: '', action: signIn }

  return {
    /** Returns what a browser needs to sign in; the authenticator offers its passkeys of this site. */
    askSignIn: (deps: Deps) => assertionOptions(deps, requirePasskeySite(url(deps)), { purpose }),

    /** Verifies a signature for a sign-in. As a passkey verifies its user, it stands for password and authenticator. */
    verifySignIn: async (deps: Deps, { response, from }: { response: PasskeyAssertion; from: Visitor }) => {
      await requireWorkByIp(deps, `${kind} passkey login`, from, ipLimit)
      return verifyAssertion(deps, requirePasskeySite(url(deps)), store(deps, null, from), { purpose, response })
    },
  }
}
