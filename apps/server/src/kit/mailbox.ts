/**
 * Whether two emails lead to one mailbox: what follows a `+` before the `@` is an alias that its owner makes at will.
 */
export const sameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other)

/** SQL of the mailbox of an address. */
export const mailboxInSql = (email: string): string =>
  `(split_part(split_part(lower(${email}), '@', 1), '+', 1) || '@' || split_part(lower(${email}), '@', 2))`

/** Counts the mailboxes to which emails lead. */
export const countMailboxes = (emails: readonly string[]): number => new Set(emails.map(mailboxOf)).size

const mailboxOf = (email: string) => {
  const [name = '', ...host] = email.trim().toLowerCase().split('@')
  return [name.split('+', 1)[0], ...host].join('@')
}
