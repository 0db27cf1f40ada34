import { isCode } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { CopyText } from '../../ui/data/Values.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Binds an authenticator app. The secret takes effect once a code generated from it is entered. */
export function AuthenticatorDialog({ onClose }: DialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('google-auth')
  // Each opening of the dialog gets a new secret.
  const fresh = useQuery({
    ...apiQuery('GET /api/v1/user/google-auth', {}),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const form = useForm(
    { google_code: '' },
    { google_code: text => !isCode(text) && common.validaCode },
    { onIncomplete: ({ google_code }) => google_code === '' && showToast('error', common.authenticatorCode) },
  )
  const { values, errors, set } = form
  const send = () =>
    proof.confirm(async confirmed => {
      const { offer = '' } = fresh.data ?? {}
      await api('POST /api/v1/user/google-auth', { body: { offer, google_code: values.google_code, ...confirmed } })
      await done(t.bound, onClose)
    })
  return (
    <FormModal title={t.bindTitle} text={t.bindText} verb={t.bind} form={form} onSend={send} onClose={onClose}>
      {fresh.data ? (
        <div className="flex flex-wrap items-center gap-5">
          <Qr text={fresh.data.uri} label={t.qr} />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-[13px] text-ink-3">{t.secret}</p>
            <p className="mt-1 font-mono text-[13px] break-all">
              <CopyText look="whole" value={fresh.data.secret} label={t.secret} />
            </p>
          </div>
        </div>
      ) : (
        <Skeleton className="h-[152px] w-full" />
      )}
      <Field label={t.appCode} error={errors.google_code} required>
        {control => <CodeInput {...control} value={values.google_code} onChange={set('google_code')} />}
      </Field>
      <ProofFields proof={proof} />
    </FormModal>
  )
}
