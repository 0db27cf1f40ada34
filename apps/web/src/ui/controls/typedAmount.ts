/**
 * An amount as it is typed: a decimal comma becomes a point, separators of thousands go where a point follows them. What could be
 * either, such as a pasted "1,000", stays, so that the rule of the field refuses it.
 */
export function typedAmount(text: string): string {
  const amount = text.replace(/[\s\u00a0\u202f']/g, '')
  if (/^\d{1,3}(,\d{3})+\.\d*$/.test(amount)) return amount.replaceAll(',', '')
  if (/^\d{1,3}(\.\d{3})+,\d*$/.test(amount)) return amount.replaceAll('.', '').replace(',', '.')
  return /^\d*,\d*$/.test(amount) && !/^[1-9]\d{0,2},\d{3}$/.test(amount) ? amount.replace(',', '.') : amount
}
