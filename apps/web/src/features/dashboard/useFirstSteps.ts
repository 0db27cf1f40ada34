import { paymentStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import { selectServerApplications } from '../../kit/firstPayment.ts'
import { useMay } from '../../lib/refused.ts'
import { buildFirstSteps, type FirstStep, maxNewcomerPayments } from './steps.ts'

/** The latest paid payments. Also shows whether there are any. */
export const latestPaid = apiQuery('GET /api/v1/transactions/list', {
  query: { current: 1, pageSize: limits.latestPayments, status: paymentStatus.paid },
})

/** The first steps of a new merchant; null for others, undefined while loading. */
export function useFirstSteps(): FirstStep[] | null | undefined {
  const paid = useQuery(latestPaid)
  const may = useMay()
  const isNew = paid.data !== undefined && paid.data.total < maxNewcomerPayments
  const user = useQuery({ ...apiQuery('GET /api/v1/user/info', {}), enabled: isNew })
  const applications = useQuery({ ...apiQuery('GET /api/v1/user/secret-key/select', {}), enabled: isNew })
  if (!may('POST /api/v1/user/opening') || (paid.data ? !isNew : paid.isError)) return null
  if (user.isError || applications.isError) return null
  if (!user.data || !applications.data) return undefined
  return buildFirstSteps({
    status: user.data.status,
    applications: selectServerApplications(applications.data.list).length,
    paidPayments: paid.data?.total ?? 0,
    hasAuthenticator: user.data.bind_google_auth,
  })
}
