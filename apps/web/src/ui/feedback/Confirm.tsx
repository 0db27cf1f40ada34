import { type ReactNode, useRef } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cell } from '../../lib/cell.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../controls/Button.tsx'
import { Modal } from './Modal.tsx'

interface Question {
  title: string
  text: ReactNode
  /** The button's label: the verb of the action, not "OK". */
  action: string
  danger?: boolean
}

const asked = cell<(Question & { answer(yes: boolean): void }) | null>(null)

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

/** Renders the confirmation dialog. Mounted once per page. */
export function ConfirmHost() {
  const t = useMessages('common')
  const question = useCell(asked)
  const cancel = useRef<HTMLButtonElement>(null)
  if (!question) return null
  return (
    <Modal
      open
      keep
      size="small"
      title={question.title}
      initialFocus={cancel}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button ref={cancel} onClick={() => question.answer(false)}>
            {t.cancel}
          </Button>
          <Button look={question.danger ? 'danger' : 'primary'} onClick={() => question.answer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      <div className="text-sm text-ink-2">{question.text}</div>
    </Modal>
  )
}
