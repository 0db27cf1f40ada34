import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/query.ts'
import type { FilterValues } from './fields.ts'
import { buildTokenOptions } from './tokens.ts'

const useCurrencies = () => useQuery(apiQuery('GET /api/v1/currency/list', {})).data?.list ?? []

/** Options of a filter by chain. */
export const useChainOptions = () => useCurrencies().map(({ id, chain }) => ({ value: id, label: chain }))

/** Options of a filter by token, of the chain of the filter `network_id`, if it is set. */
export const useTokenOptions = ({ network_id }: FilterValues) => buildTokenOptions(useCurrencies(), network_id)

/** Options of a filter by application. */
export const useApplicationOptions = () =>
  (useQuery(apiQuery('GET /api/v1/user/application-list', {})).data?.list ?? []).map(({ appid, name }) => ({
    value: appid,
    label: name,
  }))
