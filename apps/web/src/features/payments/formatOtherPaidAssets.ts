import { joinList } from '../../i18n/listed.ts'
import type { ListRow } from '../../kit/list/search.ts'

type Payment = Pick<ListRow<'GET /api/v1/transactions/list'>, 'token' | 'chain' | 'chain_confirmation_information'>

/** The tokens and networks in which money of a payment is, where they are not the chosen ones. */
export function formatOtherPaidAssets({ token, chain, chain_confirmation_information: deposits }: Payment): string {
  const others = deposits.filter(
    each => (each.state === 'seen' || each.state === 'credited') && (each.token !== token || each.chain !== chain),
  )
  return joinList([...new Set(others.map(each => `${each.token} · ${each.chain}`))])
}
