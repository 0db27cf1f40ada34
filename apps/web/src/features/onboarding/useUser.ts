import { useQuery } from '@tanstack/react-query'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'

export type User = RouteData<'GET /api/v1/user/info'>

export const useUser = () => useQuery(apiQuery('GET /api/v1/user/info', {}))
