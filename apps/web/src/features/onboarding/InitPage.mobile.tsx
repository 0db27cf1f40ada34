import { useMessages } from '../../i18n/messages.ts'
import { Card } from '../../ui/data/Card.tsx'
import { OnboardingSteps } from './InitPage.tsx'

/** Steps from a new account to the first payment, on a phone. */
export default function GettingStarted() {
  const t = useMessages('onboarding')
  return (
    <>
      <h1 className="text-2xl leading-8 font-semibold tracking-tight">{t.initTitle}</h1>
      <p className="mt-1 mb-5 text-ink-2">{t.initText}</p>
      <Card flush>
        <OnboardingSteps />
      </Card>
    </>
  )
}
