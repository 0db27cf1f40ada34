/**
 * A symbol by which a price is read. That of an asset is its `price_of` alone, which is not always its symbol: a
 * bridged token is worth what it stands for, and who asks by its own symbol finds no price and takes it for worthless.
 */
export type PriceSymbol = string & { readonly isPriceSymbol: true }

/** The price symbol of a currency or of a chain's native coin, which stand for nothing else. */
export const toPriceSymbol = (symbol: string) => symbol as PriceSymbol
