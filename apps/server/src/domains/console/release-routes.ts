import { chainAdapters } from '@coffer/chains'
import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { SignerUnavailable } from '../../signer/client.ts'
import { readChainAssets } from '../chains/assets.ts'
import { isReleaseElsewhere } from '../identity/passkeys/describe-elsewhere.ts'
import { type PasskeySite, requirePasskeySite } from '../identity/passkeys/webauthn.ts'
import { merchantById } from '../merchants/store.ts'
import { createReleaseChallenge, listHeldPayouts, releasePayout } from '../outgoing/release-payout.ts'
import { refundOwner } from '../refunds/owner.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { defineConsoleHandlers } from './context.ts'

const ownersOf = (deps: Deps): OutgoingOwners => ({ withdrawal: withdrawalOwner(deps), refund: refundOwner(deps) })

/** Refuses to ask for a signature that the signer would not take: its policy names passkeys of another site. */
async function requireReleaseSite({ signer }: Pick<Deps, 'signer'>, chain: string, site: PasskeySite): Promise<void> {
  const sites = await signer.releaseSites().catch(error => {
    if (error instanceof SignerUnavailable) throw new Refusal('busy')
    throw error
  })
  const found = sites.find(each => each.chain === chain)
  if (!found || !isReleaseElsewhere(found, site)) return
  throw new Refusal('passkey_elsewhere', {
    text: {
      en: `The signer's policy names passkeys made at ${found.origin}, which work there only. Name one made here in policy.json`,
      'zh-CN': `签名服务的策略中登记的是在 ${found.origin} 创建的通行密钥，仅可在该域名使用。请在 policy.json 中登记在此创建的通行密钥`,
    },
  })
}

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
    const site = requirePasskeySite(deps.config.operatorUrl)
    const asked = await createReleaseChallenge(deps, ownersOf(deps), params)
    if (asked === null) return { options: null }
    await requireReleaseSite(deps, asked.chain, site)
    const { challenge } = asked
    // The signer's keys are not known here: the browser offers those of this site.
    return { options: { challenge, rpId: site.id, userVerification: 'required', timeout: 300_000 } }
  },

  'POST /api/operator/v1/releases/:owner/:id': ({ deps, params, body, operator }) =>
    toEmptyAnswer(releasePayout(deps, ownersOf(deps), { ...params, ...body, who: operator.email })),
})
