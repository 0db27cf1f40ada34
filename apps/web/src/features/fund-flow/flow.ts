import type { Data } from '@coffer/contract'

export type Movement = Data<'GET /api/v1/account/stream'>['list'][number]
type Currency = Data<'GET /api/v1/currency/list'>['list'][number]

/** The tokens to choose from: those of the chain, or of every chain with its name. */
export const tokensOf = (currencies: readonly Currency[], network_id?: string): { value: string; label: string }[] =>
  currencies
    .filter(({ id }) => network_id === undefined || id === network_id)
    .flatMap(({ chain, tokens }) =>
      tokens.map(({ id, token }) => ({ value: id, label: network_id === undefined ? `${token} · ${chain}` : token })),
    )
