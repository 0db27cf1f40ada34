import type { Data } from '@coffer/contract'

export type Movement = Data<'GET /api/v1/account/stream'>['list'][number]
type Currency = Data<'GET /api/v1/currency/list'>['list'][number]

/** Token options: those of a chain, or of all chains labelled with the chain. */
export const tokensOf = (currencies: readonly Currency[], network_id?: string): { value: string; label: string }[] =>
  currencies
    .filter(({ id }) => network_id === undefined || id === network_id)
    .flatMap(({ chain, tokens }) =>
      tokens.map(({ id, token }) => ({ value: id, label: network_id === undefined ? `${token} · ${chain}` : token })),
    )
