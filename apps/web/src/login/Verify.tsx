import { isCode } from '@coffer/contract/validators.ts'
import { useEffect, useRef } from 'react'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { showToast } from '../lib/toast.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeInput } from '../ui/controls/CodeInput.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Heading, TextButton } from './Heading.tsx'
import { enter } from './view.ts'

/** The second step. The token of the first step grants no access and is stored only after the code is verified. */
export default function Verify({ token, onBack }: { token: string; onBack(): void }) {
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const input = useRef<HTMLInputElement>(null)
  const form = useForm(
    { google_code: '' },
    { google_code: text => !isCode(text) && common.validaCode },
    { onIncomplete: ({ google_code }) => google_code === '' && showToast('error', common.authenticatorCode) },
  )
  useEffect(() => input.current?.focus(), [])

  const send = async ({ google_code }: typeof form.values) => {
    const answer = await api('POST /api/v1/public/login/verification', { body: { google_code }, token })
    enter(answer.token)
  }
  return (
    <>
      <Heading title={more.verifyTitle} text={more.verifyText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <Field label={more.authenticatorCode} error={form.errors.google_code} required>
          {control => (
            <CodeInput {...control} ref={input} value={form.values.google_code} onChange={form.set('google_code')} />
          )}
        </Field>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {more.verify}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px]">
        <TextButton onClick={onBack}>{more.backToSignIn}</TextButton>
      </p>
    </>
  )
}
