import { tx } from '../../../kit/db.ts'
import { recordEvent } from '../../merchants/account-events.ts'
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
    await tx(deps.pool, async (c, uow) => {
      if (!(await blockPasskey(c, person_id, id, deps.clock()))) return
      for (const [index, { id: merchantId }] of (await accountsOfPerson(c, person_id)).entries())
        recordEvent(deps, uow, {
          merchantId,
          personId: person_id,
          type: 'passkey_blocked',
          from: null,
          params: { name },
          // Of all shops of the person, one mail is enough.
          isExpected: index > 0,
        })
    })
  },
})
