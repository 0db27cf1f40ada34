import type { Data, Query } from '@coffer/contract'
import { fundFlowTypes } from '@coffer/contract/codes.ts'
import { isDay, timesOf } from '../../lib/days.ts'

export type Movement = Data<'GET /api/v1/account/stream'>['list'][number]
type Currency = Data<'GET /api/v1/currency/list'>['list'][number]

export interface FlowFilters {
  type: string
  network_id: string
  token_id: string
  from: string
  to: string
}

/** The query of the fund flow. What is not valid in the address is left out. */
export function flowQuery(filters: FlowFilters): Omit<Query<'GET /api/v1/account/stream'>, 'current' | 'pageSize'> {
  const { network_id, token_id, from, to } = filters
  const type = fundFlowTypes.find(each => each === filters.type)
  return {
    ...(type && { type }),
    ...(network_id && { network_id }),
    ...(token_id && { token_id }),
    ...(isDay(from) && isDay(to) && from <= to && timesOf({ from, to })),
  }
}

/** The tokens to choose from: those of the chain, or of every chain with its name. */
export const tokensOf = (currencies: readonly Currency[], network_id: string): { value: string; label: string }[] =>
  currencies
    .filter(({ id }) => network_id === '' || id === network_id)
    .flatMap(({ chain, tokens }) =>
      tokens.map(({ id, token }) => ({ value: id, label: network_id === '' ? `${token} · ${chain}` : token })),
    )
