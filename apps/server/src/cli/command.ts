import type { Deps } from '../deps.ts'
import type { OperatorCall } from './call.ts'

/** A command of the operator's command line. */
export interface Command {
  /** Command words and arguments, required ones in <> and optional ones in []. */
  usage: string
  help: string
  /** Printed in place of the text of `operation_failed`: which precondition does not hold. */
  failureText?: string
  /** Changes something without a call, which would be recorded. */
  changes?: true
  /** The questions put first of what moves money or undoes something; empty for none. */
  asks?: (call: OperatorCall, args: string[], deps: Deps) => string | string[] | Promise<string | string[]>
  /**
   * The word that answers the questions in a script, where a habitual `--yes` must not: of what is beyond recall and
   * nothing here can check.
   */
  saidBy?: string
  /**
   * Returns what to print; with `--json` the data or, of a text alone, the answer of the last call is printed.
   * @throws Refusal when the command is not possible, CheckFailure when a check found something wrong
   */
  run: (call: OperatorCall, args: string[], deps: Deps) => Promise<string | { text: string; data: unknown }>
}

export const underscoresToSpaces = (name: string): string => name.replaceAll('_', ' ')

/** What a check found, printed to standard error with exit code 1. */
export class CommandFailure extends Error {}

/** Texts shown instead of the value of a row, or beside its values, by the name of their column. */
type Texts<T> = Record<string, (row: T) => string>

/**
 * Formats some columns of rows; without rows: `none`. A column shows the value of its name, or what `texts` makes of
 * the row.
 */
export function formatTable<T extends object, X extends Texts<T>>(
  rows: readonly T[],
  none: string,
  columns: readonly (keyof T | keyof X)[],
  texts?: X,
): string {
  const names = columns.map(String)
  const head = names.map(name =>
    name
      .replace(/_time$/, '')
      .replaceAll('_', ' ')
      .toUpperCase(),
  )
  return rows.length === 0
    ? none
    : table(
        head,
        rows.map(row => names.map(name => cellOf(row, name, texts))),
      )
}

/** Formats some fields of an object, one a line. */
export const formatFields = <T extends object, X extends Texts<T>>(
  row: T,
  names: readonly (keyof T | keyof X)[],
  texts?: X,
) =>
  table(
    ['FIELD', 'VALUE'],
    names.map(String).map(name => [name.replace(/_bps$/, '').replaceAll('_', ' '), cellOf(row, name, texts)]),
  )

function cellOf<T extends object>(row: T, name: string, texts?: Texts<T>): string {
  const value = (row as Record<string, unknown>)[name]
  if (texts?.[name]) return texts[name](row)
  if (/(^|_)time$|^last_/.test(name) && typeof value === 'number') return value === 0 ? '-' : formatUtcTime(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return value === null ? '' : JSON.stringify(value)
  return String(value)
}

/** Formats rows as aligned columns. White space in cells is collapsed, so that merchants' texts cannot forge rows. */
function table(head: string[], rows: string[][]): string {
  const lines = [head, ...rows.map(row => row.map(text => text.replace(/\s+/g, ' ')))]
  const widths = head.map((_, column) => Math.max(...lines.map(row => widthOf(row[column] ?? ''))))
  return lines
    .map(row =>
      row
        .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - widthOf(text)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Width of a text in terminal columns: a Chinese character takes two. */
const widthOf = (text: string) =>
  [...text].reduce(
    (sum, character) => sum + (/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/.test(character) ? 2 : 1),
    0,
  )

/** Formats an age in its largest unit. */
export const formatAge = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7_200
      ? `${Math.floor(seconds / 60)} min`
      : seconds < 172_800
        ? `${Math.floor(seconds / 3_600)} h`
        : `${Math.floor(seconds / 86_400)} days`

/** Formats a time in UTC. */
export const formatUtcTime = (unixSeconds: number) =>
  `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
