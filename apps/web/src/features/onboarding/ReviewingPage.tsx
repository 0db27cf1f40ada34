import { merchantStatus, workOrderStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { newApplicationParam } from '../../kit/firstPayment.ts'
import { SandboxButton } from '../../kit/SandboxButton.tsx'
import { buttonClass, cx } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { OperatorContact } from './OpenAuthPage.tsx'
import { buildReviewSteps, type ReviewStepState } from './progress.ts'
import { RefusalReason } from './RefusalReason.tsx'
import { type User, useUser } from './useUser.ts'

/** Review status of the request for merchant permission. */
export default function ReviewingPage() {
  const t = useMessages('onboarding')
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.reviewTitle} />
      <Card>
        <ReviewStatus />
      </Card>
    </div>
  )
}

/** `way` is where an approved merchant goes: on a phone payments are taken without an application. */
export function ReviewStatus({ way = 'application' }: { way?: 'application' | 'collect' }) {
  const user = useUser()
  if (!user.data) return <Loading of={user} className="h-64 w-full" />
  return (
    <>
      <Documents />
      <Status user={user.data} way={way} />
      <OperatorContact />
    </>
  )
}

/** What the operator needs to see, which a work order asks for. */
function Documents() {
  const t = useMessages('onboarding')
  const { data } = useQuery(
    apiQuery('GET /api/v1/work-order/list', {
      query: { type: 'documents', status: workOrderStatus.answered, current: 1, pageSize: 10 },
    }),
  )
  return data?.list.map(({ number, description }) => (
    <div key={number} className="mb-6 rounded-lg bg-accent-soft px-4 py-3 text-sm">
      <h2 className="font-semibold">{t.documentsTitle}</h2>
      <p className="mt-0.5 wrap-anywhere whitespace-pre-line">{description}</p>
      <Link to="/workOrder" search={{ number }} className="mt-2 inline-block font-medium">
        {t.answerDocuments}
      </Link>
    </div>
  ))
}

function Status({ user, way }: { user: User; way: 'application' | 'collect' }) {
  const t = useMessages('onboarding')
  const steps = buildReviewSteps(user.status)
  if (user.status === merchantStatus.approved) {
    return way === 'collect' ? (
      <Verdict title={t.approvedTitle} text={t.approvedPhone} to="/collect" action={t.collect} good />
    ) : (
      // First by a link, which takes no shell.
      <>
        <Verdict
          title={t.approvedTitle}
          text={t.approvedText}
          to="/collect"
          search={{ view: 'new' }}
          action={t.collect}
          good
        />
        <Link to="/appManage" search={{ appid: newApplicationParam }} className="mt-4 inline-block text-[13px]">
          {t.createApplication}
        </Link>
      </>
    )
  }
  if (user.status === merchantStatus.failed_audit) {
    return (
      <Verdict title={t.failedTitle} text={t.failedText} to="/openAuthPage" action={t.applyAgain}>
        <RefusalReason user={user} className="mt-4" />
      </Verdict>
    )
  }
  if (!steps) {
    const abnormal = user.status === merchantStatus.abnormal
    return abnormal ? (
      <Verdict title={t.abnormalTitle} text={t.abnormalText} />
    ) : (
      <Verdict title={t.notOpenedTitle} text={t.notOpenedText} to="/openAuthPage" action={t.open} />
    )
  }
  return <Progress user={user} steps={steps} />
}

/** How far a review has come. */
function Progress({ user, steps }: { user: User; steps: NonNullable<ReturnType<typeof buildReviewSteps>> }) {
  const t = useMessages('onboarding')
  const words: Record<ReviewStepState, string> = { done: t.done, current: t.current, waiting: t.waiting }
  return (
    <>
      {user.sandbox && (
        <p className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-accent-soft px-4 py-3 text-[13px]">
          {t.sandboxReview}
          <SandboxButton act="approve" id={user.mchid} className="max-sm:w-full">
            {t.sandboxApprove}
          </SandboxButton>
        </p>
      )}
      <ol className="flex flex-col">
        {steps.map(({ name, state }, index) => (
          <li key={name} aria-current={state === 'current' ? 'step' : undefined} className="flex gap-4">
            <span className="flex flex-col items-center">
              <Dot state={state} />
              {index < steps.length - 1 && (
                <span className={cx('w-px grow', state === 'done' ? 'bg-accent' : 'bg-line-strong')} />
              )}
            </span>
            <span className="pb-6">
              <span className={cx('block text-sm', state === 'waiting' ? 'text-ink-3' : 'font-medium')}>
                {t.steps[name]}
                <span className="ml-2 text-xs font-normal text-ink-3">{words[state]}</span>
              </span>
              {state === 'current' && !user.sandbox && (
                <span className="block text-[13px] text-ink-3">{t.stepTexts[name]}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {!user.sandbox && <p className="border-t border-line pt-4 text-[13px] text-ink-3">{t.reviewNote}</p>}
    </>
  )
}

const Dot = ({ state }: { state: ReviewStepState }) => (
  <span
    className={cx(
      'flex size-6 shrink-0 items-center justify-center rounded-full border',
      state === 'done' && 'border-accent bg-accent text-on-accent',
      state === 'current' && 'border-accent bg-accent-soft text-accent-text',
      state === 'waiting' && 'border-line-strong text-ink-3',
    )}
  >
    {state === 'done' ? <Icon name="check" size={14} /> : <span className="size-1.5 rounded-full bg-current" />}
  </span>
)

interface VerdictProps {
  title: string
  text: string
  to?: string
  search?: { view: 'new' }
  action?: string
  good?: boolean
  children?: ReactNode
}

const Verdict = ({ title, text, to, search, action, good, children }: VerdictProps) => (
  <div>
    <div className="flex items-center gap-2.5">
      <Icon name={good ? 'check' : 'info'} className={good ? 'text-good' : 'text-ink-3'} />
      <h2 className="text-base font-semibold">{title}</h2>
    </div>
    <p className="mt-1 text-sm text-ink-2">{text}</p>
    {children}
    {to && (
      <Link to={to} {...(search && { search })} look="none" className={cx(buttonClass('primary'), 'mt-5')}>
        {action}
      </Link>
    )}
  </div>
)
