import type { ReactNode } from 'react'
import { cell } from '../../lib/cell.ts'

export interface Question {
  title: string
  text: ReactNode
  /** The button's label: the verb of the action, not "OK". */
  action: string
  danger?: boolean
  /** The label of the button that leaves things as they are, in place of “Cancel” where something is cancelled. */
  leave?: string
}

/** The open question. Rendered by ConfirmHost. */
export const openQuestion = cell<(Question & { answer(yes: boolean): void }) | null>(null)

/** Asks for confirmation of an irreversible action: `if (await confirm({ title, text, action })) ...` */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise(resolve => {
    openQuestion.get()?.answer(false)
    openQuestion.set({
      ...question,
      answer: yes => {
        openQuestion.set(null)
        resolve(yes)
      },
    })
  })
