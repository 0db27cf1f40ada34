import { isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { api } from '../kit/api.ts'

/** Asks for a fresh code of the authenticator. */
export default function FreshCode({ onAnswer }: { onAnswer(entered: boolean): void }) {
  const t = useMessages('operator')
  const { codes } = useMessages('proof')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.freshTitle}
      text={t.freshText}
      verb={t.confirm}
      initial={{ google_code: '' }}
      fields={[
        {
          name: 'google_code',
          kind: 'code',
          label: codes.google,
          required: true,
          rule: text => !isSixDigitCode(text) && common.validaCode,
        },
      ]}
      call={body => api('POST /api/operator/v1/session/fresh', { body })}
      onDone={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    />
  )
}
