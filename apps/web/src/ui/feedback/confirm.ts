import type { ReactNode } from 'react'
import { cell } from '../../lib/cell.ts'

export interface Question {
  title: string
  text: ReactNode
  /** The button's label: the verb of the action, not "OK". */
  action: string
  danger?: boolean
}

/** The open question. Rendered by ConfirmHost. */
export const asked = cell<(Question & { answer(yes: boolean): void }) | null>(null)

/** Asks for confirmation of an irreversible action: `if (await confirm({ title, text, action })) ...` */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise(resolve => {
    asked.get()?.answer(false)
    asked.set({
      ...question,
      answer: yes => {
        asked.set(null)
        resolve(yes)
      },
    })
  })
