import type { Deps } from '../deps.ts'

/** A command of the operator's command line. */
export interface Command {
  /** Command words and arguments, required ones in <> and optional ones in []. */
  usage: string
  help: string
  /** Printed in place of the text of `operation_failed`: which precondition does not hold. */
  failureText?: string
  /**
   * Returns what to print.
   * @throws Refusal when the command is not possible, CheckFailure when a check found something wrong
   */
  run: (deps: Deps, args: string[]) => Promise<string>
}

/** What a check found, printed to standard error with exit code 1. */
export class CheckFailure extends Error {}

/** Formats rows as aligned columns. White space in cells is collapsed, so that merchants' texts cannot forge rows. */
export function table(head: string[], rows: string[][]): string {
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

/** Formats a time in UTC. */
export const timeText = (unixSeconds: number) =>
  `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
