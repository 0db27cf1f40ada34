import { isCode } from '@coffer/contract/validators.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { useCell } from '../lib/useCell.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeInput } from '../ui/controls/CodeInput.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Modal } from '../ui/feedback/Modal.tsx'
import { api } from './api.ts'
import { freshAsked } from './fresh.ts'
import { useTexts } from './texts.ts'

/** Asks for a fresh code of the authenticator. Mounted once. */
export function FreshHost() {
  const question = useCell(freshAsked)
  return question && <FreshCode onAnswer={question.answer} />
}

function FreshCode({ onAnswer }: { onAnswer(entered: boolean): void }) {
  const t = useTexts()
  const common = useMessages('common')
  const form = useForm({ google_code: '' }, { google_code: text => !isCode(text) && common.validaCode })
  const send = async ({ google_code }: typeof form.values) => {
    await api('POST /api/operator/v1/session/fresh', { body: { google_code } })
    onAnswer(true)
  }
  return (
    <Modal
      open
      keep
      size="small"
      title={t.freshTitle}
      text={t.freshText}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="fresh" busy={form.busy}>
            {t.confirm}
          </Button>
        </>
      }
    >
      <form id="fresh" {...form.formProps(send)}>
        <Field label={t.authenticatorCode} error={form.errors.google_code} required>
          {control => <CodeInput {...control} value={form.values.google_code} onChange={form.set('google_code')} />}
        </Field>
      </form>
    </Modal>
  )
}
