/** What the payer owes: in the chosen token, before the choice in USDT. */
export const selectAmountOwed = ({
  token,
  amount,
  usdt_amount,
}: {
  token: string
  amount: string
  usdt_amount: string
}) => (token === '' ? { value: usdt_amount, unit: 'USDT' } : { value: amount, unit: token })
