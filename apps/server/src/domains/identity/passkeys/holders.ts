import type { PasskeyAssertion, PasskeyRegistration } from '@coffer/contract/kit/schemas.ts'
import type { Deps } from '../../../deps.ts'
import type { Queryable } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import {
  findUsablePasskey,
  hasPasskeyElsewhere,
  listPasskeysOfPerson,
  type StoredPasskey,
} from '../../people/passkeys.ts'
import type { Realm } from '../../people/sessions.ts'
import { requireWorkByIp } from '../work/work.ts'
import {
  assertionOptions,
  createElsewhereRefusal,
  isPasskeyElsewhere,
  type PasskeyStore,
  passkeySite,
  registrationOptions,
  requirePasskeySite,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts'

const ipLimit = { max: 100, seconds: 900 }

/** What differs between the realms in which people hold passkeys. */
interface PasskeyRealm<S extends object> {
  realm: Realm
  /** What a passkey signs for at a sign-in. */
  signIn: string
  /** The site of their passkeys. */
  url: (deps: Pick<Deps, 'config'>) => string
  /** What the list shows besides. */
  more: (passkey: StoredPasskey) => Promise<S>
  /** Blocks a passkey of which a copy was noticed. */
  cloned: (deps: Deps, passkey: StoredPasskey, from: Visitor | null) => Promise<void>
}

/** A signature, the action with its data that it was requested for, and where it comes from. */
interface Signed {
  action: string
  data?: Record<string, string> | undefined
  response: PasskeyAssertion
  field?: string
  from: Visitor | null
}

/** Returns what people of a realm do with passkeys. */
export const createPasskeyService = <S extends object>(of: PasskeyRealm<S>) => ({
  ...registerPasskeys(of),
  ...confirmActions(of),
  ...signInByPasskey(of),
})

const ownerOf = (realm: Realm, personId: string) => `${realm}:${personId}`

/** The passkeys of a person, without those of which a copy was noticed. */
const readUsable = async (c: Queryable, personId: string) =>
  (await listPasskeysOfPerson(c, personId)).filter(each => each.blocked_at === null)

/**
 * The usable passkeys of a person that work at this host; `elsewhere`: without any, the host of one that works at
 * another.
 */
async function findPasskeys(
  { url }: Pick<PasskeyRealm<object>, 'url'>,
  deps: Pick<Deps, 'config'>,
  c: Queryable,
  personId: string,
): Promise<{ here: StoredPasskey[]; elsewhere: string | undefined }> {
  const site = passkeySite(url(deps))
  const usable = await readUsable(c, personId)
  const here = usable.filter(each => !isPasskeyElsewhere(each, site))
  return { here, elsewhere: here.length > 0 ? undefined : usable[0]?.host }
}

/** Returns the passkeys of a person that work here; throws Refusal('passkey_elsewhere') or Refusal('not_bound'). */
async function requirePasskeys(
  ...[of, deps, c, personId, field]: [...Parameters<typeof findPasskeys>, field?: string]
) {
  const { here, elsewhere } = await findPasskeys(of, deps, c, personId)
  if (elsewhere !== undefined) throw createElsewhereRefusal(elsewhere, field)
  if (here.length === 0) throw new Refusal('not_bound', field === undefined ? {} : { field })
  return here
}

/** Passkeys of one person or, at a sign-in, of all of the realm. */
const storeOf = <S extends object>(
  { realm, cloned }: PasskeyRealm<S>,
  deps: Deps,
  personId: string | null,
  from: Visitor | null,
): PasskeyStore => ({
  find: async id => {
    const found = await findUsablePasskey(deps.pool, id, realm)
    return personId === null || found?.person_id === personId ? found : undefined
  },
  cloned: passkey => cloned(deps, passkey, from),
})

/** How a person makes passkeys and sees them. */
function registerPasskeys<S extends object>(of: PasskeyRealm<S>) {
  const { realm, url, more } = of
  const newPasskey = (personId: string) => ({ owner: ownerOf(realm, personId), action: 'passkey-new' })

  return {
    /** Whether a person has a passkey that may be used, here or at another host. */
    has: async (c: Queryable, personId: string) => (await readUsable(c, personId)).length > 0,

    /** Whether a person has a passkey that works here. */
    hasHere: async (deps: Pick<Deps, 'config'>, c: Queryable, personId: string) =>
      (await findPasskeys(of, deps, c, personId)).here.length > 0,

    /** Where a passkey of a person was made who has none that works here; undefined without any. */
    elsewhere: async (deps: Pick<Deps, 'config'>, c: Queryable, personId: string) =>
      (await findPasskeys(of, deps, c, personId)).elsewhere,

    /** Refuses a `field` that only a passkey would satisfy, unless the person has one that works here. */
    require: async (deps: Pick<Deps, 'config'>, c: Queryable, personId: string, field: string) =>
      void (await requirePasskeys(of, deps, c, personId, field)),

    /** Lists the passkeys of a person. `available`: whether browsers can use passkeys at this site. */
    list: async (deps: Deps, personId: string) => {
      const rows = await listPasskeysOfPerson(deps.pool, personId)
      const site = passkeySite(url(deps))
      return {
        available: site !== null,
        list: await Promise.all(
          rows.map(async row => ({
            id: row.id,
            name: row.name,
            synced: row.synced,
            created_time: row.created_at,
            last_used: row.last_used ?? 0,
            blocked: row.blocked_at !== null,
            ...(isPasskeyElsewhere(row, site) && { host: row.host }),
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
        existing: await listPasskeysOfPerson(deps.pool, user.id),
        purpose: newPasskey(user.id),
      })
    },

    /** Verifies a new passkey, as `verifyRegistration` does. */
    verifyNew: (deps: Deps, personId: string, response: PasskeyRegistration) =>
      verifyRegistration(deps, requirePasskeySite(url(deps)), { purpose: newPasskey(personId), response }),
  }
}

/** How a passkey confirms an action. */
function confirmActions<S extends object>(of: PasskeyRealm<S>) {
  const { realm, url } = of
  const purposeOf = (personId: string, { action, data }: Pick<Signed, 'action' | 'data'>) => ({
    owner: ownerOf(realm, personId),
    action,
    data,
  })

  return {
    /**
     * Returns what a browser needs to sign for an action with its data. Throws Refusal('not_bound') without a passkey,
     * or Refusal('passkey_elsewhere') if all were made at another host.
     */
    ask: async (deps: Deps, personId: string, { action, data }: Pick<Signed, 'action' | 'data'>) => {
      const site = requirePasskeySite(url(deps))
      const allowed = await requirePasskeys(of, deps, deps.pool, personId)
      return assertionOptions(deps, site, { purpose: purposeOf(personId, { action, data }), allowed })
    },

    /**
     * Verifies a signature for an action with its data. The result is to be consumed in the transaction of the action.
     */
    verify: (deps: Deps, personId: string, { action, data, response, field, from }: Signed) =>
      verifyAssertion(deps, requirePasskeySite(url(deps)), storeOf(of, deps, personId, from), {
        purpose: purposeOf(personId, { action, data }),
        response,
        ...(field !== undefined && { field }),
      }),
  }
}

/** How a passkey signs its person in. */
function signInByPasskey<S extends object>(of: PasskeyRealm<S>) {
  const { realm, signIn, url } = of
  const purpose = { owner: '', action: signIn }

  return {
    /**
     * Returns what a browser needs to sign in; the authenticator offers its passkeys of this site. `moved`: whether
     * anybody has one of another host, so that the page says why a browser may offer none. It names no host, which a
     * stranger may not know.
     */
    askSignIn: async (deps: Deps) => {
      const site = requirePasskeySite(url(deps))
      const moved = (await hasPasskeyElsewhere(deps.pool, realm, site.id)) > 0
      return { ...(await assertionOptions(deps, site, { purpose })), ...(moved && { moved }) }
    },

    /** Verifies a signature for a sign-in. As a passkey verifies its user, it stands for password and authenticator. */
    verifySignIn: async (deps: Deps, { response, from }: { response: PasskeyAssertion; from: Visitor }) => {
      await requireWorkByIp(deps, `${realm} passkey login`, from, ipLimit)
      return verifyAssertion(deps, requirePasskeySite(url(deps)), storeOf(of, deps, null, from), { purpose, response })
    },
  }
}
