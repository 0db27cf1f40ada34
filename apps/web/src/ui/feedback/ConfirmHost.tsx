import { useRef } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../controls/Button.tsx'
import { pendingConfirmation } from './confirm.ts'
import { Modal } from './Modal.tsx'

/** Renders the confirmation dialog. Mounted once per page. */
export function ConfirmHost() {
  const t = useMessages('common')
  const question = useCell(pendingConfirmation)
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
            {question.leave ?? t.cancel}
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
