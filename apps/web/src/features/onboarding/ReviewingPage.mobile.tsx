import { useMessages } from '../../i18n/messages.ts'
import { Card } from '../../ui/data/Card.tsx'
import { ReviewStatus } from './ReviewingPage.tsx'

/** Review status on a phone. */
export default function Reviewing() {
  const t = useMessages('onboarding')
  return (
    <>
      <h1 className="sr-only">{t.reviewTitle}</h1>
      <Card>
        <ReviewStatus way="collect" />
      </Card>
    </>
  )
}
