import { isText } from '@coffer/contract/validators.ts'
import { useState } from 'react'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { loadMessages, messages, useMessages } from '../../i18n/messages.ts'
import { createPasskey, PasskeyFailure } from '../../kit/passkey.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { heldProof, useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import type { Passkey, PasskeyTask } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Adds, renames or removes a passkey. */
export default function PasskeyDialog({ task, onClose }: { task: PasskeyTask; onClose(): void }) {
  return task.verb === 'remove' ? (
    <Remove passkey={task.passkey} onClose={onClose} />
  ) : (
    <Name passkey={task.verb === 'rename' ? task.passkey : null} onClose={onClose} />
  )
}

const finish = async (text: string, onClose: () => void) => {
  await refresh('GET /api/v1/user/passkey')
  await done(text, onClose)
}

function Name({ passkey, onClose }: { passkey: Passkey | null; onClose(): void }) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('passkey')
  const [problem, setProblem] = useState('')
  const form = useForm({ name: passkey?.name ?? '' }, { name: text => !isText(text) && common.required })
  const name = form.values.name.trim()
  const add = () =>
    proof.confirm(async confirmed => {
      setProblem('')
      // So that the device makes no passkey for a wrong code.
      const held = await heldProof(confirmed.proof, 'passkey')
      const made = await createPasskey(await api('GET /api/v1/user/passkey/new', {})).catch(async error => {
        if (!(error instanceof PasskeyFailure)) throw error
        await loadMessages('proof')
        setProblem(messages('proof').failures[error.reason])
      })
      if (!made) return
      await api('POST /api/v1/user/passkey', { body: { name, passkey: made, proof: held } })
      await finish(t.passkeyDone, onClose)
    })
  const rename = async (id: string) => {
    await api('PUT /api/v1/user/passkey', { body: { id, name } })
    await finish(t.saved, onClose)
  }
  return (
    <FormModal
      title={passkey ? t.renamePasskey : t.addPasskey}
      text={passkey ? '' : t.addPasskeyText}
      verb={passkey ? common.save : t.addPasskey}
      form={form}
      onSend={() => (passkey ? rename(passkey.id) : add())}
      onClose={onClose}
    >
      <Field label={t.passkeyName} hint={t.passkeyNameHint} error={form.errors.name} required>
        {control => (
          <TextInput
            {...control}
            maxLength={64}
            autoComplete="off"
            value={form.values.name}
            onChange={form.set('name')}
          />
        )}
      </Field>
      {!passkey && <ProofFields proof={proof} />}
      <p role="alert" className="text-[13px] text-bad empty:hidden">
        {problem}
      </p>
    </FormModal>
  )
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const t = useMessages('identity')
  const { id, name } = passkey
  return (
    <ProofModal
      danger
      title={t.removePasskey(name)}
      text={t.removePasskeyText}
      verb={t.remove}
      action="passkey"
      data={() => ({ id })}
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('DELETE /api/v1/user/passkey', { body: { id, ...confirmed } })
        await finish(t.passkeyRemoved, onClose)
      }}
    />
  )
}
