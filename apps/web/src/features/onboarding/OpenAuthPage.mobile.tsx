import { merchantStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BottomAction } from '../../kit/mobile/BottomAction.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { NextStepLink, OperatorContact, TitledList } from './OpenAuthPage.tsx'
import { useUser } from './useUser.ts'

/** Explains merchant permission on a phone, with the next step in reach. */
export default function OpenAuth() {
  const t = useMessages('onboarding')
  const { data: user, error, refetch } = useUser()
  if (error && !user) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <h1 className="text-2xl leading-8 font-semibold tracking-tight">{t.openTitle}</h1>
      <p className="mt-1 mb-5 text-ink-2">{t.openText}</p>
      <Card>
        <TitledList title={t.getsTitle} items={t.gets} />
      </Card>
      <p className="mt-4 px-1 text-[13px] text-ink-2">
        {user?.status === merchantStatus.approved ? t.alreadyOpen : t.howLong}
      </p>
      <OperatorContact />
      <BottomAction>
        {user ? <NextStepLink status={user.status} size="large" /> : <Skeleton className="h-11 w-full rounded-lg" />}
      </BottomAction>
    </>
  )
}
