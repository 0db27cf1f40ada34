import { isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { showToast } from '../../lib/toast.ts'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'
import { RecoveryCodes } from './RecoveryDialog.tsx'
import { stackLines } from './stackLines.tsx'

/**
 * Binds an authenticator app, and shows recovery codes. The secret takes effect once a code generated from it is
 * entered.
 */
export function AuthenticatorDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  // Each opening of the dialog gets a new secret.
  const { data: fresh } = useQuery({
    ...apiQuery('GET /api/v1/user/google-auth', {}),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const proof = useProof('google-auth')
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ActionForm
      title={t.bindTitle}
      text={stackLines(t.bindText, t.recoveryWith, t.holds(user.hold_hours))}
      verb={t.bind}
      size="medium"
      initial={{ google_code: '' }}
      fields={[
        {
          name: 'google_code',
          kind: 'code',
          label: t.appCode,
          required: true,
          rule: text => !isSixDigitCode(text) && common.validaCode,
        },
      ]}
      onIncomplete={({ google_code }) => google_code === '' && showToast('error', common.authenticatorCode)}
      proof={proof}
      call={async (values, confirmed) => {
        const body = { offer: fresh?.offer ?? '', recovery_codes: true, ...values, ...confirmed }
        const { recovery_codes = [] } = await api('POST /api/v1/user/google-auth', { body })
        await refreshAccount()
        return recovery_codes
      }}
      done={t.bound}
      onDone={setCodes}
      onClose={onClose}
    >
      {fresh ? (
        <div className="flex flex-wrap items-center gap-5">
          <Qr text={fresh.uri} label={t.qr} />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-[13px] text-ink-3">{t.secret}</p>
            <p className="mt-1 font-mono text-[13px] break-all">
              <CopyText look="whole" value={fresh.secret} label={t.secret} />
            </p>
          </div>
        </div>
      ) : (
        <Skeleton className="h-[152px] w-full" />
      )}
    </ActionForm>
  )
}
