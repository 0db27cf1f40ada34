/** Texts about an amount that a person types, in every form. */
export default {
  validaValue: 'Please enter a correct amount: digits and one decimal point, such as 1234.56',
  either: (text: string, one: string, other: string) => `“${text}” may mean ${one} or ${other}. Enter one of them.`,
  read: (amount: string) => `Read as ${amount}`,
  point: (amount: string) => `Read as ${amount}, with a decimal point`,
}
