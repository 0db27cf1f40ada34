interface Order {
  fiat_amount: string
  fiat_name: string
  usdt_amount: string
  token: string
}

/** What an order asks, where that is not the amount of its token: in its currency, or in USDT. */
export const selectOrderPrice = ({ fiat_amount, fiat_name, usdt_amount, token }: Order) =>
  fiat_amount !== ''
    ? { value: fiat_amount, unit: fiat_name }
    : token === '' || token === 'USDT'
      ? null
      : { value: usdt_amount, unit: 'USDT' }
