import type { ReactNode } from 'react'
import { cell } from '../../lib/cell.ts'

export interface ConfirmationRequest {
  title: string
  text: ReactNode
  /** The button's label: the verb of the action, not "OK". */
  action: string
  danger?: boolean
  /** The label of the button that leaves things as they are, in place of “Cancel” where something is cancelled. */
  leave?: string
}

/** The open question. Rendered by ConfirmHost. */
export const pendingConfirmation = cell<(ConfirmationRequest & { answer(yes: boolean): void }) | null>(null)

/** Asks for confirmation of an irreversible action: `if (await confirm({ title, text, action })) ...` */
export const confirm = (question: ConfirmationRequest): Promise<boolean> =>
  new Promise(resolve => {
    pendingConfirmation.get()?.answer(false)
    pendingConfirmation.set({
      ...question,
      answer: yes => {
        pendingConfirmation.set(null)
        resolve(yes)
      },
    })
  })
