/** Where the picture of a token is. */
export const tokenLogo = (symbol: string) => `/logos/token-${symbol.toLowerCase()}.svg`
/** Where the picture of a chain is. */
export const chainLogo = (id: string) => `/logos/chain-${id.replace(/-sandbox$/, '')}.svg`
