import { merchantStatus, paymentStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { newApplicationParam, selectServerApplications } from '../../kit/firstPayment.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Skeleton } from '../../ui/feedback/States.tsx'
import { canRequestMerchantPermission } from './progress.ts'
import { useUser } from './useUser.ts'

/** The first steps of a new account. */
export default function InitPage() {
  const t = useMessages('onboarding')
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.initTitle} text={t.initText} />
      <Card flush>
        <OnboardingSteps />
      </Card>
    </div>
  )
}

/** The same steps as on the dashboard, which stay here. */
export function OnboardingSteps() {
  const t = useMessages('onboarding')
  const step = useMessages('dashboard')
  const { data: user } = useUser()
  const { data: applications } = useQuery(apiQuery('GET /api/v1/user/secret-key/select', {}))
  const { data: payments } = useQuery(
    apiQuery('GET /api/v1/transactions/list', { query: { status: paymentStatus.paid, current: 1, pageSize: 10 } }),
  )
  const approved = user?.status === merchantStatus.approved
  const openAuth = (
    <Link to="/openAuth" look="primary" size="small">
      {step.stepOpenAction}
    </Link>
  )
  const review = (
    <Link to="/reviewing" className="inline-flex items-center pointer-coarse:min-h-11">
      <Badge kind="processing">{t.stepReview}</Badge>
    </Link>
  )
  return (
    <ol className="divide-y divide-line">
      <Step
        number={1}
        title={step.stepOpen}
        text={step.stepOpenText}
        done={user && approved}
        action={user && !canRequestMerchantPermission(user.status) ? review : openAuth}
      />
      <Step
        number={2}
        title={step.stepPay}
        text={step.stepPayText}
        done={payments && payments.total > 0}
        action={
          <Link to="/collect" search={{ view: 'new' }} look="secondary" size="small">
            {step.stepPayAction}
          </Link>
        }
      />
      <Step
        number={3}
        title={step.stepApply}
        text={step.stepApplyText}
        done={applications && selectServerApplications(applications.list).length > 0}
        action={
          <Link to="/appManage" search={{ appid: newApplicationParam }} look="secondary" size="small">
            {step.stepApplyAction}
          </Link>
        }
      />
      <Step
        number={4}
        title={step.stepSecure}
        text={step.stepSecureText}
        done={user?.bind_google_auth}
        action={
          <Link to="/accountInfo" look="secondary" size="small">
            {step.stepSecureAction}
          </Link>
        }
      />
    </ol>
  )
}

interface StepProps {
  number: number
  title: string
  text: string
  /** Undefined while loading. */
  done: boolean | undefined
  action: ReactNode
}

function Step({ number, title, text, done, action }: StepProps) {
  const t = useMessages('dashboard')
  return (
    <li className="flex min-h-20 items-center gap-x-4 px-5 py-4">
      <span className="num flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken text-[13px] font-semibold text-ink-2">
        {number}
      </span>
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 grow basis-56">
          <span className="block text-sm font-medium">{title}</span>
          <span className="block text-[13px] text-ink-3">{text}</span>
        </span>
        {done === undefined ? (
          <Skeleton className="h-6 w-16" />
        ) : done ? (
          <Badge kind="success">{t.stepDone}</Badge>
        ) : (
          action
        )}
      </span>
    </li>
  )
}
