import type { Deps } from '../../../deps.ts'
import { SignerUnavailable } from '../../../signer/client.ts'
import type { ReleaseSite } from '../../../signer/protocol.ts'
import { countPasskeysElsewhere } from '../../people/passkeys.ts'
import type { Realm } from '../../people/sessions.ts'
import { type PasskeySite, passkeySite } from './webauthn.ts'

type HostDeps = Pick<Deps, 'pool' | 'config' | 'signer'>

/** Whether passkeys of the signer's policy are of another site: what they sign here is refused by the signer. */
export const isReleaseElsewhere = ({ rpId, origin }: ReleaseSite, site: PasskeySite | null): boolean =>
  rpId !== site?.id || !site.origins.includes(origin)

const amount = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/**
 * Counts for the operator the passkeys that were made at another host than where people sign in now, and those of the
 * signer's policy that cannot release payouts in this console, unless the signer does not answer. Without a console
 * only those of merchants.
 */
export async function describePasskeysElsewhere(deps: HostDeps): Promise<string[]> {
  const { publicUrl, operatorUrl, operatorPort } = deps.config
  const ofShops = await describeRealm(deps, 'shop', publicUrl, 'merchant')
  if (operatorPort === 0) return ofShops
  const ofConsole = await describeRealm(deps, 'console', operatorUrl, 'operator')
  return [...ofShops, ...ofConsole, ...(await describeReleases(deps, operatorUrl))]
}

async function describeRealm({ pool }: Pick<Deps, 'pool'>, realm: Realm, url: string, who: string): Promise<string[]> {
  const { hostname } = new URL(url)
  const found = await countPasskeysElsewhere(pool, realm, passkeySite(url)?.id ?? hostname)
  return found.map(
    ({ host, passkeys, persons }) =>
      `${amount(passkeys, 'passkey')} of ${amount(persons, who)} ${passkeys === 1 ? 'was' : 'were'} made at ${host} ` +
      `and ${passkeys === 1 ? 'does' : 'do'} not work at ${hostname}`,
  )
}

async function describeReleases({ signer }: Pick<Deps, 'signer'>, url: string): Promise<string[]> {
  const sites = await signer.releaseSites().catch(error => {
    if (error instanceof SignerUnavailable) return []
    throw error
  })
  return sites
    .filter(each => isReleaseElsewhere(each, passkeySite(url)))
    .map(
      ({ chain, origin, keys }) =>
        `${amount(keys, 'passkey')} of policy.json for ${chain} ${keys === 1 ? 'is' : 'are'} of ${origin} and cannot ` +
        `release payouts at ${url}: name passkeys made there, with its "rpId" and "origin"`,
    )
}

/** Logs at the start what `describePasskeysElsewhere` says. Does not wait for the signer. */
export async function warnOfPasskeysElsewhere(deps: HostDeps & Pick<Deps, 'log'>): Promise<void> {
  const warn = async () => {
    for (const line of await describePasskeysElsewhere(deps)) deps.log.warn(line)
  }
  void warn().catch(error => deps.log.error({ err: error }, 'passkeys of other hosts were not counted'))
}
