import { useQuery } from '@tanstack/react-query'
import type { Data } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'

export type User = Data<'GET /api/v1/user/info'>

export const useUser = () => useQuery(apiQuery('GET /api/v1/user/info', {}))
