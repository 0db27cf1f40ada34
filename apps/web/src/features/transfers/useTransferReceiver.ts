import type { RouteData } from '@coffer/contract'
import { isEmail, isMchid } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { suppressRefusalToast } from '../../api/query.ts'
import { useDebouncedValue } from '../../lib/useDebouncedValue.ts'

export type TransferReceiver = RouteData<'GET /api/v1/account/internal-transfer/receiver'>

/** Pause in typing after which a complete account is looked up: lookups are limited. */
const pauseMs = 400

/** Looks a receiver up by merchant ID or email once it is typed. `problem` is why there is none. */
export function useTransferReceiver(typed: string): {
  data: TransferReceiver | undefined
  problem: string | null
  looking: boolean
} {
  const account = typed.trim()
  const complete = isMchid(account) || isEmail(account)
  const settled = useDebouncedValue(complete ? account : '', pauseMs)
  const isCurrent = complete && settled === account
  const { data, error } = useQuery({
    queryKey: ['receiver', settled],
    queryFn: () => lookUp(settled),
    enabled: isCurrent,
    refetchOnWindowFocus: false,
  })
  if (!isCurrent) return { data: undefined, problem: null, looking: complete }
  return {
    data: error ? undefined : data,
    problem: error?.message ?? null,
    looking: !data && !error,
  }
}

const lookUp = (account: string): Promise<TransferReceiver> =>
  suppressRefusalToast(api('GET /api/v1/account/internal-transfer/receiver', { query: { account } }))
