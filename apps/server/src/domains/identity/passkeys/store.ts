import { tx } from '../../../kit/db.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { sendEventMail } from '../../merchants/mails.ts'
import { accountsOfPerson } from '../../merchants/store.ts'
import { blockPasskey } from '../../people/passkeys.ts'
import { createPasskeyService } from './holders.ts'

/** Passkeys of merchants. A copied one is blocked, and its owner is notified. */
export const merchantPasskeys = createPasskeyService({
  realm: 'shop',
  signIn: 'login',
  url: deps => deps.config.publicUrl,
  more: async () => ({}),
  cloned: async (deps, { person_id, id, name }) => {
    const isNew = await tx(deps.pool, async (c, uow) => {
      if (!(await blockPasskey(c, person_id, id, deps.clock()))) return false
      for (const { id: merchantId } of await accountsOfPerson(c, person_id))
        recordEvent(deps, uow, {
          merchantId,
          personId: person_id,
          type: 'passkey_blocked',
          from: null,
          params: { name },
        })
      return true
    })
    const [merchant] = isNew ? await accountsOfPerson(deps.pool, person_id) : []
    if (merchant) sendEventMail(deps, merchant, 'passkey_blocked', name)
  },
})
