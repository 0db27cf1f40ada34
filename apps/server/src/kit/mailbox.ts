/**
 * Whether two emails lead to one mailbox: what follows a `+` before the `@` is an alias that its owner makes at will.
 */
export const sameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other)

const mailboxOf = (email: string) => {
  const [name = '', ...host] = email.trim().toLowerCase().split('@')
  return [name.split('+', 1)[0], ...host].join('@')
}
