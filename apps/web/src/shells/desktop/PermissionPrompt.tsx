import { codeNameOf, type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Icon } from '../../ui/icons.tsx'

/** Pages about merchant permission, which need no prompt. */
const aboutPermission = ['/openAuth', '/openAuthPage', '/reviewing']

/** A prompt for merchants without permission. It blocks nothing. */
export function PermissionPrompt() {
  const t = useMessages('desktop')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const path = useLocation({ select: location => location.pathname })
  if (!user || user.status === merchantStatus.approved || aboutPermission.includes(path)) return null
  const texts: Partial<Record<MerchantState, string>> = {
    not_opened: t.openPrompt,
    primary_audit: t.reviewPrompt,
    advanced_audit: t.reviewPrompt,
    failed_audit: t.failedPrompt,
  }
  const state = codeNameOf(merchantStatus, user.status)
  const notOpened = state === 'not_opened'
  const underReview = user.status === merchantStatus.primary_audit || user.status === merchantStatus.advanced_audit
  // The dashboard's first steps say so.
  if (path === '/' && (notOpened || underReview)) return null
  return (
    <section
      aria-label={t.permission}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-2 text-[13px] sm:px-6"
    >
      <Icon name="info" size={16} className="text-accent-text" />
      <span>{(state && texts[state]) ?? t.abnormalPrompt}</span>
      <Link to={notOpened ? '/openAuth' : '/reviewing'} className="font-medium">
        {notOpened ? t.openAction : t.reviewAction}
      </Link>
    </section>
  )
}
