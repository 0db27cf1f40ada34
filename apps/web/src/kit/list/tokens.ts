import type { RouteData } from '@coffer/contract'
import type { SelectOption } from '../../ui/controls/options.ts'

type Chain = RouteData<'GET /api/v1/currency/list'>['list'][number]

/** Token options: those of a chain, or of all chains with their names. */
export const buildTokenOptions = (chains: readonly Chain[], network_id?: string): SelectOption[] =>
  chains
    .filter(({ id }) => network_id === undefined || id === network_id)
    .flatMap(({ chain, tokens }) =>
      tokens.map(({ id, token }) => ({ value: id, label: network_id === undefined ? `${token} · ${chain}` : token })),
    )
