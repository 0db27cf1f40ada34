import { useState } from 'react'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { AuthenticatorForm } from './AuthenticatorForm.tsx'
import { Heading, TextButton } from './Heading.tsx'
import { openBackOffice } from './view.ts'

/** The second step. The token of the first step grants no access and is stored only after the code is verified. */
export default function Verify({ token, onBack }: { token: string; onBack(): void }) {
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const [recovering, setRecovering] = useState(false)
  const recovery = useForm({ recovery_code: '' }, { recovery_code: text => text.trim() === '' && common.required })

  const send = async (body: { google_code: string } | { recovery_code: string }) => {
    const answer = await api('POST /api/v1/public/login/verification', { body, token })
    openBackOffice(answer.token)
  }
  const other = (
    <p className="mt-5 flex flex-wrap justify-center gap-x-4 text-center text-[13px]">
      <TextButton onClick={() => setRecovering(!recovering)}>{recovering ? more.useApp : more.useRecovery}</TextButton>
      <TextButton onClick={onBack}>{more.backToSignIn}</TextButton>
    </p>
  )
  if (recovering)
    return (
      <>
        <Heading title={more.verifyTitle} text={more.recoveryText} />
        <form {...recovery.formProps(send)} className="flex flex-col gap-4">
          <Field label={more.recoveryCode} error={recovery.errors.recovery_code} required>
            {control => (
              <TextInput
                {...control}
                autoComplete="off"
                maxLength={40}
                className="font-mono"
                value={recovery.values.recovery_code}
                onChange={recovery.set('recovery_code')}
              />
            )}
          </Field>
          <Button type="submit" look="primary" size="large" busy={recovery.busy}>
            {more.verify}
          </Button>
        </form>
        {other}
      </>
    )
  return (
    <>
      <AuthenticatorForm verb={more.verify} onSend={send} />
      {other}
    </>
  )
}
