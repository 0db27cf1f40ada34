import { useState } from 'react'
import { api } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { createPasskey, handlePasskeyFailure } from '../../kit/passkey.ts'
import { useProof } from '../../kit/proof/useProof.ts'
import { type AccountDialogProps, type Passkey, type PasskeyTask, refreshAccount } from './dialogs.ts'
import { stackLines } from './stackLines.tsx'

interface Props extends AccountDialogProps {
  task: PasskeyTask
}

/** Adds, renames or removes a passkey. */
export default function PasskeyDialog({ task, ...props }: Props) {
  if (task.verb === 'add') return <Add {...props} />
  const Dialog = task.verb === 'rename' ? Rename : Remove
  return <Dialog passkey={task.passkey} {...props} />
}

const refreshPasskeys = async () => {
  await invalidateCalls('GET /api/v1/user/passkey')
  await refreshAccount()
}

const useNameField = () => {
  const t = useMessages('identity')
  const given = { maxLength: 64, autoComplete: 'off', required: true }
  return [{ name: 'name', label: t.passkeyName, hint: t.passkeyNameHint, ...given }] as const
}

function Add({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const [problem, setProblem] = useState('')
  const proof = useProof('passkey', { exchanged: true })
  return (
    <ActionForm
      title={t.addPasskey}
      text={stackLines(t.addPasskeyText, t.pauses(user.hold_hours))}
      verb={t.addPasskey}
      size="medium"
      initial={{ name: '' }}
      fields={useNameField()}
      proof={proof}
      call={async ({ name }, confirmed) => {
        setProblem('')
        const options = await api('GET /api/v1/user/passkey/new', {})
        const passkey = await createPasskey(options).catch(handlePasskeyFailure(setProblem))
        await api('POST /api/v1/user/passkey', { body: { name: name.trim(), passkey, ...confirmed } })
        await refreshPasskeys()
      }}
      done={t.passkeyDone}
      note={
        <p role="alert" className="text-[13px] text-bad empty:hidden">
          {proof.error === null && problem}
        </p>
      }
      onClose={onClose}
    />
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey } & AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.renamePasskey}
      verb={common.save}
      size="medium"
      initial={{ name: passkey.name }}
      fields={useNameField()}
      call={async ({ name }) => {
        await api('PUT /api/v1/user/passkey', { body: { id: passkey.id, name: name.trim() } })
        await refreshPasskeys()
      }}
      done={t.saved}
      onClose={onClose}
    />
  )
}

function Remove({ passkey: { id, name }, user, onClose }: { passkey: Passkey } & AccountDialogProps) {
  const t = useMessages('identity')
  return (
    <ActionForm
      danger
      title={t.removePasskey(name)}
      text={stackLines(t.removePasskeyText, t.holds(user.hold_hours))}
      verb={t.remove}
      proof={useProof('passkey', { data: () => ({ id }) })}
      call={async (_values, confirmed) => {
        await api('DELETE /api/v1/user/passkey', { body: { id, ...confirmed } })
        await refreshPasskeys()
      }}
      done={t.passkeyRemoved}
      onClose={onClose}
    />
  )
}
