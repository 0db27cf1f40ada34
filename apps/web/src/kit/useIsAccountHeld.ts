import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../api/query.ts'

/** Whether money of the account may not leave. The notice above each page says why, and until when. */
export const useIsAccountHeld = (): boolean => Boolean(useQuery(apiQuery('GET /api/v1/user/info', {})).data?.hold)
