import { useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { api, RequestRefused } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'

/**
 * Reports by the link of a mail that somebody else used the account. A button does it: programs open links of mails,
 * too.
 */
export default function NotMe() {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [problem, setProblem] = useState('')
  const report = async () => {
    setState('busy')
    try {
      await api('POST /api/v1/public/not-me', { body: { token: location.hash.split('=')[1] ?? '' }, token: null })
      setState('done')
    } catch (error) {
      if (error instanceof RequestRefused) setProblem(error.message)
      else showFailureToast(error as Error)
      setState('open')
    }
  }
  return (
    <>
      <Heading title={t.titles['not-me']} text={state === 'done' ? more.notMeDone : more.notMeText} />
      {state !== 'done' && (
        <div className="flex flex-col gap-4">
          <FormError>{problem}</FormError>
          <Button type="button" look="primary" size="large" busy={state === 'busy'} onClick={report}>
            {more.notMe}
          </Button>
        </div>
      )}
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{more.backToSignIn}</ViewLink>
      </p>
    </>
  )
}
