import { useState } from 'react'
import { api } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyButton } from '../../ui/data/CopyText.tsx'
import { confirm } from '../../ui/feedback/confirm.ts'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { AccountDialogProps } from './dialogs.ts'

/** Makes recovery codes and shows them. */
export function RecoveryDialog({ onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const [codes, setCodes] = useState<string[] | null>(null)
  const proof = useProof('recovery-codes')
  if (codes === null)
    return (
      <ActionForm
        title={t.recoveryTitle}
        text={t.recoveryAsk}
        verb={t.recoveryMake}
        proof={proof}
        call={async (_values, body) => {
          const made = await api('POST /api/v1/user/recovery-codes', { body })
          await invalidateCalls('GET /api/v1/user/info', 'GET /api/v1/user/log')
          return made.codes
        }}
        onDone={setCodes}
        onClose={onClose}
      />
    )
  return <RecoveryCodes codes={codes} onClose={onClose} />
}

/** Shows new recovery codes, once. A press outside does not close it, and neither does Escape without a question. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useMessages('identity')
  const file = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  return (
    <Modal
      open
      keep
      title={t.recoveryTitle}
      text={t.recoveryShown}
      onClose={async () => {
        if (await confirm({ title: t.recoveryLeave, text: t.recoveryShown, action: t.recoveryStored })) onClose()
      }}
      actions={
        <Button look="primary" onClick={onClose}>
          {t.recoveryStored}
        </Button>
      }
    >
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 font-mono text-sm sm:grid-cols-2">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="mt-3 flex flex-wrap items-center gap-4 text-[13px]">
        <span className="flex items-center gap-1">
          {t.recoveryCopy} <CopyButton value={codes.join('\n')} label={t.recoveryTitle} />
        </span>
        <a
          href={file}
          download="coffer-recovery-codes.txt"
          className="rounded-sm text-accent-text underline underline-offset-2"
        >
          {t.recoverySave}
        </a>
      </p>
      <p className="mt-3 text-[13px] text-ink-2">{t.recoveryUse}</p>
    </Modal>
  )
}
