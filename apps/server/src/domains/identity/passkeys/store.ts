import type { Deps } from '../../../deps.ts'
import { all, first, run, type Statements, tx } from '../../../kit/db.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { sendEventMail } from '../../merchants/mails.ts'
import { merchantById } from '../../merchants/store.ts'
import { createPasskeyService } from './holders.ts'
import type { PasskeyStore } from './webauthn.ts'

/** A merchant's passkey. `blocked_at` is set once a copy of it was noticed. */
type MerchantPasskey = Statements['passkeys-of']['row']

const columns = 'merchant_id, id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at'

/** Reads the passkeys of a merchant, the oldest first. */
export const listPasskeysOfMerchant = all(
  'passkeys-of',
  `select ${columns} from passkeys where merchant_id = $1 order by created_at, id`,
)

const passkeyById = first('passkey-by-id', `select ${columns} from passkeys where id = $1 and blocked_at is null`)

export const insertPasskey = run(
  'passkey-insert',
  `insert into passkeys (merchant_id, id, name, public_key, counter, transports, synced, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export const renamePasskey = run('passkey-rename', 'update passkeys set name = $3 where merchant_id = $1 and id = $2')
export const deletePasskey = run('passkey-delete', 'delete from passkeys where merchant_id = $1 and id = $2')
export const deletePasskeys = run('passkeys-drop', 'delete from passkeys where merchant_id = $1')

const usePasskey = run(
  'passkey-use',
  `update passkeys set counter = $3, last_used = $4
   where merchant_id = $1 and id = $2 and blocked_at is null and (counter < $3 or counter = 0) returning 1`,
)
const blockPasskey = run(
  'passkey-block',
  'update passkeys set blocked_at = $3 where merchant_id = $1 and id = $2 and blocked_at is null returning 1',
)

/** Passkeys of one merchant or, at a sign-in, of all. A copied one is blocked, and its owner is notified. */
const passkeyStore = (deps: Deps, merchantId: string | null): PasskeyStore<MerchantPasskey> => ({
  find: async id => {
    const found = await passkeyById(deps.pool, id)
    return merchantId === null || found?.merchant_id === merchantId ? found : undefined
  },
  use: (c, { merchant_id, id }, counter) => usePasskey(c, merchant_id, id, counter, deps.clock()),
  cloned: async ({ merchant_id, id, name }) => {
    const isNew = await tx(deps.pool, async (c, uow) => {
      if (!(await blockPasskey(c, merchant_id, id, deps.clock()))) return false
      recordEvent(deps, uow, { merchantId: merchant_id, type: 'passkey_blocked', from: null, params: { name } })
      return true
    })
    const merchant = isNew && (await merchantById(deps.pool, merchant_id))
    if (merchant) sendEventMail(deps, merchant, 'passkey_blocked', name)
  },
})

/** Passkeys of merchants. */
export const merchantPasskeys = createPasskeyService({
  kind: 'merchant',
  signIn: 'login',
  url: deps => deps.config.publicUrl,
  of: listPasskeysOfMerchant,
  more: async () => ({}),
  store: passkeyStore,
})
