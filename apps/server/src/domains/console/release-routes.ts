import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { readChainAssets } from '../chains/assets.ts'
import { requirePasskeySite } from '../identity/passkeys/webauthn.ts'
import { merchantById } from '../merchants/store.ts'
import { createReleaseChallenge, listHeldPayouts, releasePayout } from '../outgoing/release-payout.ts'
import { refundOwner } from '../refunds/owner.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { defineConsoleHandlers } from './context.ts'

const ownersOf = (deps: Deps): OutgoingOwners => ({ withdrawal: withdrawalOwner(deps), refund: refundOwner(deps) })

export const releaseHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/releases': async ({ deps }) => {
    const held = await listHeldPayouts(deps, ownersOf(deps))
    return {
      list: await Promise.all(
        held.map(async ({ owner, id, merchant_id, asset_id, amount, chain, to, since, waits }) => {
          const { definition } = deps.chains.get(chain)!
          const merchant = await merchantById(deps.pool, merchant_id)
          const asset = (await readChainAssets(deps.pool, chain)).get(asset_id)!
          return {
            owner: owner as 'withdrawal' | 'refund',
            id,
            chain: definition.name,
            created_time: since,
            mchid: merchant?.mchid ?? '',
            merchant: merchant?.name ?? '',
            amount: formatDecimal(amount, asset.decimals),
            token: asset.symbol,
            address: chainAdapters[definition.kind].address.show(to),
            refused: waits !== 'signer: passkey_required',
          }
        }),
      ),
    }
  },

  'GET /api/operator/v1/releases/:owner/:id': async ({ deps, params }) => {
    const { id: rpId } = requirePasskeySite(deps.config.operatorUrl)
    const challenge = await createReleaseChallenge(deps, ownersOf(deps), params)
    // The signer's keys are not known here: the browser offers those of this site.
    return { options: challenge === null ? null : { challenge, rpId, userVerification: 'required', timeout: 300_000 } }
  },

  'POST /api/operator/v1/releases/:owner/:id': ({ deps, params, body, operator }) =>
    toEmptyAnswer(releasePayout(deps, ownersOf(deps), { ...params, ...body, who: operator.email })),
})
