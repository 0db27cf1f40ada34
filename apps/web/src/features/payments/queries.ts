import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'

/** How often (ms) the details are read while a deposit waits: each block adds a confirmation, and only the last is told. */
const waitingMs = 3_000

/** One payment with its details. */
export const usePayment = (trade_no: string) =>
  useQuery({
    ...apiQuery('GET /api/v1/transactions/detail', { query: { trade_no } }),
    refetchInterval: query => {
      const deposits = query.state.data?.chain_confirmation_information
      return deposits?.some(({ state }) => state === 'seen') ? waitingMs : false
    },
  })
