import { useQuery } from '@tanstack/react-query'
import { showFailureToast } from '../api/explain.ts'
import { api } from '../api/index.ts'
import { apiQuery } from '../api/query.ts'

/** Lists the other shops of the signed-in person; none for who belongs to one only, for whom nothing is asked. */
export function useOtherShops(count: number | undefined) {
  const { data } = useQuery({ ...apiQuery('GET /api/v1/member/shop', {}), enabled: count !== undefined && count > 1 })
  return data?.list.filter(shop => !shop.current) ?? []
}

/** Works for another shop, in this tab and, once they have reloaded, in the others of this browser. */
export const switchShop = (mchid: string): Promise<void> =>
  api('POST /api/v1/member/shop', { body: { mchid } }).then(() => {}, showFailureToast)
