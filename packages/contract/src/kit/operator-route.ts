import type { Language } from '../languages.ts'
import type { OperatorRole } from './operator-roles.ts'
import { completeRoutes, type Method, type RouteDeclaration, type RouteTable } from './route.ts'

/**
 * What takes a second person: `value`: above `COFFER_TWO_PEOPLE_ABOVE`; `amount`: above `COFFER_WITHDRAW_TWO_ABOVE`;
 * `owners`: where two owners can sign in; `always`: always, and it happens 24 hours later.
 */
export type SecondOperatorRule = 'value' | 'amount' | 'owners' | 'always'

/** What a call changes. The server reads the state of each, which the log shows before and after. */
export type AuditedObjectKind =
  | 'merchant'
  | 'withdrawal'
  | 'refund'
  | 'release'
  | 'work_order'
  | 'announcement'
  | 'chain'
  | 'deposit'
  | 'asset'
  | 'incident'
  | 'wallet'
  | 'queue'
  | 'callback'
  | 'alert_hook'
  | 'operator'

type Words = Record<Language, string>

/**
 * The button of an action and the dialog that it opens. In its texts, names in braces stand for what the page fills in.
 * Its fields are those of the body that have a label (`labelled`).
 */
export interface ActionDialog {
  button: Words
  /** What will happen, said before it happens; null where the page says it. */
  text: Words | null
  /** Said when it is done, in place of “Saved”. */
  done?: Words
  look?: 'primary' | 'danger'
  /** The button that closes the dialog, where “Cancel” could be misread. */
  leave?: Words
  /** Said in place of what depends on it where that cannot be read. */
  unread?: Words
}

/**
 * The command of a call: its name, then what it is about, then the parts of the body. In its texts, `{id}` and parts of
 * the body stand for what was typed, `{object}` for what it is about, in words, `{stakes}` for what depends on it.
 */
export interface CommandDeclaration {
  name: string
  /** Defaults to the summary. */
  help?: string
  /** What it prints when it is done. */
  done: string
  /** The question put first of what moves money or undoes something. */
  asks?: string
  /** Which precondition does not hold where the call was not possible. */
  failure?: string
  /** The reason that is sent where none is typed; without it one has to be. */
  reason?: string
}

/** Reads something, or, `oneself`, confirms or ends the session of whoever makes the call. */
interface Reading {
  who: readonly OperatorRole[] | 'oneself'
}

/** Changes something. */
interface Changing {
  who: readonly OperatorRole[]
  /**
   * Needs a code of the authenticator entered in this session within `freshCodeSeconds`: about money, freezing,
   * accounts.
   */
  fresh?: true
  /** Null for what belongs to the operator alone: passkeys, alerts and the devices that show them. */
  object: AuditedObjectKind | null
  /** Null for what a page draws in another way, or only a command does. */
  dialog: ActionDialog | null
  /** Of calls that a command makes as they are. */
  command?: CommandDeclaration
  /** What was done, for the log. */
  title: Words
}

/** What two operators may have to decide, named for the second one, with what it is about as `{of}`. */
interface Decided extends Changing {
  second: 'value'
  question: Words
}
interface Undecided extends Changing {
  second?: Exclude<SecondOperatorRule, 'value'>
}

interface OwnSession {
  who: 'oneself'
}

type Access<K> = K extends `${Method} /api/operator/v1/public/${string}`
  ? { auth: 'public' | 'pending' }
  : K extends `GET ${string}`
    ? Reading
    : K extends `${Method} /api/operator/v1/session${string}`
      ? OwnSession
      : Decided | Undecided
type Declaration = RouteDeclaration<OperatorRole>
type WithAccess<T> = { [K in keyof T]: Declaration & Access<K> }

/**
 * Checks a group of operators' calls. Each says who may make it, and one that changes something what it is called and
 * what it needs: without, it does not compile.
 */
export const defineOperatorRoutes = <const T extends RouteTable<Declaration>>(table: T & WithAccess<T>) =>
  completeRoutes<T>(table)
