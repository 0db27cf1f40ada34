import { isEmail, isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { sendEmailCode } from '../api/codes.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeInput } from '../ui/controls/CodeInput.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { SendCode } from '../ui/controls/SendCode.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { FormError } from './Heading.tsx'

export interface MailedCode {
  email: string
  code: string
  /** Of the code sent last. */
  challenge?: string
}

/** The part of a request body that holds a mailed code. */
export const codeBody = ({ email, code, challenge }: MailedCode) => ({
  email: email.trim(),
  code,
  ...(challenge && { challenge }),
})

interface Props {
  form: Pick<ReturnType<typeof useForm<MailedCode>>, 'values' | 'errors' | 'set'>
  purpose: Parameters<typeof sendEmailCode>[0]['type']
  onEmail(email: string): void
}

/** Email, and the code sent to it. */
export function CodeFields({ form, purpose, onEmail }: Props) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const { values, errors, set } = form
  return (
    <>
      <Field label={t.email} error={errors.email} required>
        {control => (
          <TextInput
            {...control}
            type="email"
            name="email"
            autoComplete="username"
            value={values.email}
            onChange={text => {
              set('email')(text)
              onEmail(text)
            }}
          />
        )}
      </Field>
      <Field label={more.code} error={errors.code} required>
        {control => (
          <SendCode
            disabled={!isEmail(values.email.trim())}
            inbox={{ to: values.email.trim(), fill: set('code') }}
            send={() =>
              sendEmailCode({
                email: values.email.trim(),
                type: purpose,
                token: null,
                onSent: set('challenge'),
              })
            }
          >
            <CodeInput {...control} value={values.code} onChange={set('code')} />
          </SendCode>
        )}
      </Field>
    </>
  )
}

interface CodeFormProps extends Pick<Props, 'purpose' | 'onEmail'> {
  email: string
  action: string
  send(body: ReturnType<typeof codeBody>): Promise<void>
}

/** A form of an email and the code sent to it. */
export function CodeForm({ email, action, send, ...fields }: CodeFormProps) {
  const common = useMessages('common')
  const form = useForm<MailedCode>(
    { email, code: '' },
    {
      email: text => !isEmail(text.trim()) && common.validaEmail,
      code: text => !isSixDigitCode(text) && common.validaCode,
    },
    { banner: true },
  )
  return (
    <form {...form.formProps(values => send(codeBody(values)))} className="flex flex-col gap-4">
      <CodeFields form={form} {...fields} />
      <FormError>{form.problem}</FormError>
      <Button type="submit" look="primary" size="large" busy={form.busy}>
        {action}
      </Button>
    </form>
  )
}
