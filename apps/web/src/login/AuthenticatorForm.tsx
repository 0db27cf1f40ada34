import { isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { showToast } from '../lib/toast.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeInput } from '../ui/controls/CodeInput.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { Heading } from './Heading.tsx'

interface Props {
  /** The label of the button that submits. */
  verb: string
  onSend(body: { google_code: string }): Promise<unknown>
  /** Drawn below the button. */
  children?: ReactNode
}

/** The second step of a sign-in: a code of the authenticator. */
export function AuthenticatorForm({ verb, onSend, children }: Props) {
  const t = useMessages('loginMore')
  const common = useMessages('common')
  const input = useRef<HTMLInputElement>(null)
  const form = useForm(
    { google_code: '' },
    { google_code: text => !isSixDigitCode(text) && common.validaCode },
    { onIncomplete: ({ google_code }) => google_code === '' && showToast('error', common.authenticatorCode) },
  )
  useEffect(() => input.current?.focus(), [])
  return (
    <>
      <Heading title={t.verifyTitle} text={t.verifyText} />
      <form {...form.formProps(onSend)} className="flex flex-col gap-4">
        <Field label={t.authenticatorCode} error={form.errors.google_code} required>
          {control => (
            <CodeInput {...control} ref={input} value={form.values.google_code} onChange={form.set('google_code')} />
          )}
        </Field>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {verb}
        </Button>
        {children}
      </form>
    </>
  )
}
