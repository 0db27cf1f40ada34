import type { Deps } from '../../deps.ts'
import { all, first, run, type Statements } from '../../kit/db.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { createPasskeyService } from '../identity/passkeys/holders.ts'
import { encodeSignerKey, type PasskeyStore } from '../identity/passkeys/webauthn.ts'
import { recordOperatorAction } from './action-log.ts'
import { operatorById } from './store.ts'

type OperatorPasskey = Statements['operator-passkeys-of']['row']

const columns = 'operator_id, id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at'

/** Reads the passkeys of an operator, the oldest first. */
export const listPasskeysOfOperator = all(
  'operator-passkeys-of',
  `select ${columns} from operator_passkeys where operator_id = $1 order by created_at, id`,
)
const passkeyById = first(
  'operator-passkey-by-id',
  `select ${columns} from operator_passkeys where id = $1 and blocked_at is null`,
)
export const insertPasskey = run(
  'operator-passkey-insert',
  `insert into operator_passkeys (operator_id, id, name, public_key, counter, transports, synced, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
)
export const deletePasskey = run(
  'operator-passkey-delete',
  'delete from operator_passkeys where operator_id = $1 and id = $2',
)
export const deletePasskeysOfOperator = run(
  'operator-passkeys-drop',
  'delete from operator_passkeys where operator_id = $1',
)
const usePasskey = run(
  'operator-passkey-use',
  `update operator_passkeys set counter = $3, last_used = $4
   where operator_id = $1 and id = $2 and blocked_at is null and (counter < $3 or counter = 0) returning 1`,
)
const blockPasskey = run(
  'operator-passkey-block',
  'update operator_passkeys set blocked_at = $3 where operator_id = $1 and id = $2 and blocked_at is null returning 1',
)

/** Passkeys of one operator or, at a sign-in, of all. A copied one is blocked, which the log records. */
const passkeyStore = (deps: Deps, operatorId: string | null, from: Visitor | null): PasskeyStore<OperatorPasskey> => ({
  find: async id => {
    const found = await passkeyById(deps.pool, id)
    return operatorId === null || found?.operator_id === operatorId ? found : undefined
  },
  use: (c, { operator_id, id }, counter) => usePasskey(c, operator_id, id, counter, deps.clock()),
  cloned: async ({ operator_id, id, name }) => {
    if (!(await blockPasskey(deps.pool, operator_id, id, deps.clock()))) return
    const who = (await operatorById(deps.pool, operator_id))?.email ?? operator_id
    await recordOperatorAction(deps, { who, action: 'passkey blocked', on: name, from }, 'passkey_cloned')
  },
})

/** Passkeys of operators. */
export const operatorPasskeys = createPasskeyService({
  kind: 'operator',
  signIn: 'operator-login',
  url: deps => deps.config.operatorUrl,
  of: listPasskeysOfOperator,
  more: async ({ public_key }) => ({ signer_key: await encodeSignerKey(public_key) }),
  store: passkeyStore,
})
