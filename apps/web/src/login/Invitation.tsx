import { merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { isPassword } from '@coffer/contract/kit/validators.ts'
import { useEffect, useState } from 'react'
import { encodePassword } from '../api/encode.ts'
import { showFailureToast } from '../api/explain.ts'
import { api, RequestRefused, type RouteData } from '../api/index.ts'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { forgetToken, openShop, readToken, returnTo } from '../lib/session.ts'
import { useCell } from '../lib/useCell.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { PasswordInput } from '../ui/controls/PasswordInput.tsx'
import { FormError, Heading, TextButton, ViewLink } from './Heading.tsx'

type Shown = RouteData<'POST /api/v1/public/invitation'>

const secretOfLink = () => location.hash.split('=')[1] ?? ''

/** Accepts an invitation to a shop: with a new password, or signed in with the account of the invited address. */
export default function Invitation() {
  const t = useMessages('invitation')
  const login = useMessages('login')
  const more = useMessages('loginMore')
  const inLanguage = useCell(language)
  const { shown, problem, setProblem } = useInvitation()
  const role = shown && merchantRoleTexts[shown.role]
  return (
    <>
      <Heading
        title={shown ? t.title(shown.shop || shown.invited_by) : login.titles.invitation}
        text={role ? `${t.text(shown.invited_by, role.name[inLanguage])} ${t.may(role.may[inLanguage])}` : ''}
      />
      <div className="flex flex-col gap-4">
        <FormError>{problem}</FormError>
        {shown && (shown.registered ? <SignedIn shown={shown} onProblem={setProblem} /> : <NewPerson shown={shown} />)}
      </div>
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{more.backToSignIn}</ViewLink>
      </p>
    </>
  )
}

function useInvitation() {
  const [shown, setShown] = useState<Shown | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    api('POST /api/v1/public/invitation', { body: { invitation: secretOfLink() }, token: null, guarded: false }).then(
      setShown,
      error => (error instanceof RequestRefused ? setProblem(error.message) : showFailureToast(error)),
    )
  }, [])
  return { shown, problem, setProblem }
}

/** The address has an account: whoever is signed in accepts, or signs in first. */
function SignedIn({ shown, onProblem }: { shown: Shown; onProblem(text: string): void }) {
  const t = useMessages('invitation')
  const [busy, setBusy] = useState(false)
  const signIn = () => {
    returnTo(location.pathname + location.hash)
    forgetToken()
    location.hash = ''
  }
  const accept = async () => {
    setBusy(true)
    try {
      await api('POST /api/v1/member/accept', { body: { invitation: secretOfLink() } })
    } catch (error) {
      if (error instanceof RequestRefused) onProblem(error.message)
      else showFailureToast(error as Error)
      setBusy(false)
    }
  }
  if (readToken() === null)
    return (
      <>
        <p className="text-[13px] text-ink-2">{t.signInText(shown.email)}</p>
        <Button type="button" look="primary" size="large" onClick={signIn}>
          {t.signIn}
        </Button>
      </>
    )
  return (
    <>
      <Button type="button" look="primary" size="large" busy={busy} onClick={accept}>
        {t.accept}
      </Button>
      <p className="text-center text-[13px]">
        <TextButton onClick={signIn}>{t.signInAgain}</TextButton>
      </p>
    </>
  )
}

/** The address has no account yet: a password makes one. */
function NewPerson({ shown }: { shown: Shown }) {
  const t = useMessages('invitation')
  const login = useMessages('login')
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const form = useForm(
    { password: '', confirm_password: '' },
    {
      password: text => !isPassword(text) && common.validaPwd,
      confirm_password: (text, { password }) => text !== password && common.passwordsDiffer,
    },
    { banner: true },
  )
  const { values, errors, set } = form
  const send = async ({ password, confirm_password }: typeof values) => {
    const passwords = { password: encodePassword(password), confirm_password: encodePassword(confirm_password) }
    const body = { invitation: secretOfLink(), ...passwords }
    openShop((await api('POST /api/v1/public/invitation/accept', { body, token: null })).token)
  }
  return (
    <form {...form.formProps(send)} className="flex flex-col gap-4">
      <p className="text-[13px] text-ink-2">{t.newText(shown.email)}</p>
      <input type="hidden" name="email" autoComplete="username" value={shown.email} />
      <Field label={login.password} hint={more.passwordHint} error={errors.password} required>
        {control => (
          <PasswordInput
            {...control}
            name="new-password"
            autoComplete="new-password"
            value={values.password}
            onChange={set('password')}
          />
        )}
      </Field>
      <Field label={more.confirmPassword} error={errors.confirm_password} required>
        {control => (
          <PasswordInput
            {...control}
            name="confirm-password"
            autoComplete="new-password"
            value={values.confirm_password}
            onChange={set('confirm_password')}
          />
        )}
      </Field>
      <FormError>{form.problem}</FormError>
      <Button type="submit" look="primary" size="large" busy={form.busy}>
        {t.accept}
      </Button>
    </form>
  )
}
