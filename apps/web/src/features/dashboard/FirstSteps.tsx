import type { ReactNode } from 'react'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { FirstPaymentSnippet } from '../../kit/FirstPaymentSnippet.tsx'
import { newApplicationParam } from '../../kit/firstPayment.ts'
import { buttonClass, cx } from '../../ui/classes.ts'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { FirstStep } from './steps.ts'

/** The first steps of a new merchant. */
export default function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const t = useMessages('dashboard')
  const next = steps.find(step => step.state !== 'done')
  return (
    <Card title={t.firstSteps} flush>
      <ol className="grid auto-cols-fr divide-line border-t border-line max-lg:divide-y lg:grid-flow-col lg:divide-x">
        {steps.map((step, index) => (
          <StepItem
            key={step.name}
            step={step}
            number={index + 1}
            next={step === next}
            // Nothing else can be done before the permission is open.
            locked={index > 0 && steps[0]?.state !== 'done'}
          />
        ))}
      </ol>
    </Card>
  )
}

function StepItem({ step, number, next, locked }: { step: FirstStep; number: number; next: boolean; locked: boolean }) {
  const t = useMessages('dashboard')
  const done = step.state === 'done'
  const { title, text, action, below } = useContents(step, next)
  // What the keys are for is shown once they exist.
  const open = !locked && (!done || below !== undefined)
  return (
    <li className="flex min-w-0 gap-3 px-5 py-3.5" aria-current={next ? 'step' : undefined}>
      <span
        aria-hidden="true"
        className={cx(
          'num flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold',
          done ? 'bg-good-soft text-good' : next ? 'bg-accent text-on-accent' : 'bg-sunken text-ink-2',
        )}
      >
        {done ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="min-w-0 flex-[1_1_180px]">
            <h3 className="text-sm leading-6 font-medium">
              {title}
              <span className="sr-only"> ({done ? t.stepDone : t.stepToDo})</span>
            </h3>
            {open && <p className="text-[13px] text-ink-3">{text}</p>}
          </div>
          {open && action}
        </div>
        {open && below}
      </div>
    </li>
  )
}

interface Contents {
  title: string
  text: string
  action: ReactNode
  below?: ReactNode
}

/** The texts and the link of a step; the next one's stands out. */
function useContents({ name, state }: FirstStep, next: boolean): Contents {
  const t = useMessages('dashboard')
  const review = state === 'review'
  const look = cx(buttonClass(next && !review ? 'primary' : 'secondary', 'small'))
  switch (name) {
    case 'open':
      return {
        title: t.stepOpen,
        text: review ? t.stepOpenReview : t.stepOpenText,
        action: (
          <Link look="none" to={review ? '/reviewing' : '/openAuthPage'} className={look}>
            {review ? t.stepOpenStatus : t.stepOpenAction}
          </Link>
        ),
      }
    case 'pay':
      return {
        title: t.stepPay,
        text: t.stepPayText,
        action: (
          <Link look="none" to="/collect" search={{ view: 'new' }} className={look}>
            {t.stepPayAction}
          </Link>
        ),
      }
    case 'apply':
      if (state === 'done') return firstCommand(t)
      return {
        title: t.stepApply,
        text: t.stepApplyText,
        action: (
          <Link look="none" to="/appManage" search={{ appid: newApplicationParam }} className={look}>
            {t.stepApplyAction}
          </Link>
        ),
      }
    case 'secure':
      return {
        title: t.stepSecure,
        text: t.stepSecureText,
        action: (
          <Link look="none" to="/accountInfo" className={look}>
            {t.stepSecureAction}
          </Link>
        ),
      }
  }
}

/** What the keys are for, shown once they exist. */
const firstCommand = (t: Messages<'dashboard'>): Contents => ({
  title: t.stepApply,
  text: t.stepCommand,
  action: (
    <OutsideLink href="/docs" className="text-[13px] whitespace-nowrap">
      {t.stepCommandAction}
    </OutsideLink>
  ),
  below: (
    <div className="mt-3">
      <FirstPaymentSnippet label={t.curl} />
    </div>
  ),
})
