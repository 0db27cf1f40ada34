/** Somebody who acted: the person, empty for who has no account, and the email at the time. */
export interface PersonName {
  id: string
  email: string
}

/** Seconds for which who is new, in an account or a role, is nobody's second person. */
export const newPersonSeconds = 86_400

/** Whether two names are of one person: of the same account, or with one mailbox. */
export const isSamePerson = (one: PersonName, other: PersonName): boolean =>
  (one.id !== '' && one.id === other.id) || sameMailbox(one.email, other.email)

/** SQL condition: who has an id and an email is the person of another id and email. */
export const samePersonInSql = (id: string, email: string, otherId: string, otherEmail: string): string =>
  `(${id} = ${otherId} or ${mailboxInSql(email)} = ${mailboxInSql(otherEmail)})`

/** Counts the persons whose names are given. */
export const countPersons = (names: readonly PersonName[]): number =>
  names.filter((name, index) => !names.slice(0, index).some(before => isSamePerson(before, name))).length

/**
 * Whether two emails lead to one mailbox: what follows a `+` before the `@` is an alias that its owner makes at will.
 */
export const sameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other)

const mailboxOf = (email: string) => {
  const [name = '', ...host] = email.trim().toLowerCase().split('@')
  return [name.split('+', 1)[0], ...host].join('@')
}

const mailboxInSql = (email: string) =>
  `(split_part(split_part(lower(${email}), '@', 1), '+', 1) || '@' || split_part(lower(${email}), '@', 2))`
