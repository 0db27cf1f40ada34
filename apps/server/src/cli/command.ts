import type { Deps } from '../deps.ts'

/** One thing an operator can do: the words that call it, what stands after them, and what it does. */
export interface Command {
  /** As typed, with what must be given in <> and what may be given in []. */
  usage: string
  help: string
  /** Told instead of `operation_failed`: why things are not as the command needs them. */
  notSo?: string
  /** Gives what to print. Throws a Refusal when it is not possible, and a Complaint when something was found to be wrong. */
  run: (deps: Deps, args: string[]) => Promise<string>
}

/** Something the operator should see, told on the error output; the command ends with 1. */
export class Complaint extends Error {}

/** Columns side by side, as wide as their longest text. What merchants typed can make neither lines nor columns. */
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

/** Columns a terminal needs for a text: Chinese characters take two. */
const widthOf = (text: string) =>
  [...text].reduce(
    (sum, character) => sum + (/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/.test(character) ? 2 : 1),
    0,
  )

/** A time as a person reads it, in UTC. */
export const timeText = (unixSeconds: number) =>
  `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
