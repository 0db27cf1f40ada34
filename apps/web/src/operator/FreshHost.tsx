import { isCode } from '@coffer/contract/validators.ts'
import { useMessages } from '../i18n/messages.ts'
import { ActionForm } from '../kit/form/ActionForm.tsx'
import { useCell } from '../lib/useCell.ts'
import { api } from './api.ts'
import { freshAsked } from './fresh.ts'

/** Asks for a fresh code of the authenticator. Mounted once. */
export function FreshHost() {
  const t = useMessages('operator')
  const common = useMessages('common')
  const question = useCell(freshAsked)
  if (!question) return null
  return (
    <ActionForm
      title={t.freshTitle}
      text={t.freshText}
      verb={t.confirm}
      initial={{ google_code: '' }}
      fields={[
        {
          ...{ name: 'google_code', kind: 'code', label: t.authenticatorCode, required: true },
          rule: text => !isCode(text) && common.validaCode,
        },
      ]}
      call={body => api('POST /api/operator/v1/session/fresh', { body })}
      onDone={() => question.answer(true)}
      onClose={() => question.answer(false)}
    />
  )
}
