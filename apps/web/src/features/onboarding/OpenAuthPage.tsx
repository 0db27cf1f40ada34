import { merchantStatus } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { ButtonSize } from '../../ui/classes.ts'
import { Link, OutsideLink } from '../../ui/controls/Link.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { canRequestMerchantPermission } from './progress.ts'
import { useUser } from './useUser.ts'

/** Explains merchant permission and links to the next step. */
export default function OpenAuthPage() {
  const t = useMessages('onboarding')
  const user = useUser()
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHeader title={t.openTitle} text={t.openText} />
      <Card>
        {user.error ? (
          <ErrorState error={user.error} onRetry={() => void user.refetch()} />
        ) : (
          <>
            <TitledList title={t.getsTitle} items={t.gets} />
            <div className="mt-6 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
              <p className="max-w-[46ch] text-[13px] text-ink-2">
                {user.data?.status === merchantStatus.approved ? t.alreadyOpen : t.howLong}
              </p>
              {user.data ? <NextStepLink status={user.data.status} /> : <Skeleton className="h-9 w-44" />}
            </div>
          </>
        )}
      </Card>
      <OperatorContact />
    </div>
  )
}

/** Where to write to, if the operator set it. */
export function OperatorContact() {
  const t = useMessages('onboarding')
  const contact = useUser().data?.contact
  if (!contact) return null
  const href = contact.includes('://') ? contact : `mailto:${contact}`
  return (
    <p className="mt-4 text-[13px] text-ink-2">
      {t.questions} <OutsideLink href={href}>{contact.replace('https://', '')}</OutsideLink>
    </p>
  )
}

export function NextStepLink({ status, size }: { status: number; size?: ButtonSize }) {
  const t = useMessages('onboarding')
  const [to, text] =
    status === merchantStatus.approved
      ? ['/', t.toDashboard]
      : canRequestMerchantPermission(status)
        ? ['/openAuthPage', t.open]
        : ['/reviewing', t.seeStatus]
  return (
    <Link to={to} look="primary" {...(size && { size })}>
      {text}
    </Link>
  )
}

export const TitledList = ({ title, items }: { title: string; items: readonly string[] }) => (
  <div>
    <h2 className="mb-2 text-sm font-semibold">{title}</h2>
    <ul className="flex flex-col gap-2 text-sm text-ink-2">
      {items.map(item => (
        <li key={item} className="flex gap-2.5">
          <Icon name="check" size={16} className="mt-0.5 shrink-0 text-accent-text" />
          {item}
        </li>
      ))}
    </ul>
  </div>
)
