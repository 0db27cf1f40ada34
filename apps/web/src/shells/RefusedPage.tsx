import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { RouteKey } from '../api/types.ts'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { useMayOpen } from '../lib/refused.ts'
import { useCell } from '../lib/useCell.ts'
import { lists } from '../lists.ts'
import { routes, type TypedAppRoute } from '../routes.ts'
import { Link } from '../ui/controls/Link.tsx'

/** In place of a page that the role does not include: says so, and leads to one that it does. */
export default function RefusedPage() {
  const t = useMessages('roles')
  const may = useMayOpen()
  const inLanguage = useCell(language)
  const path = useLocation({ select: location => location.pathname })
  const first = routes.find(route => route.menu && may(route.path))
  const navigate = useNavigate()
  const instead = path === '/' ? first?.path : undefined
  useEffect(() => {
    if (instead) void navigate({ to: instead, replace: true })
  }, [instead, navigate])
  if (instead) return null
  return (
    <div className="flex min-h-[60vh] flex-col items-center justify-center gap-1 text-center">
      <h1 className="text-2xl font-semibold tracking-tight">{t.refusedPage}</h1>
      <p className="text-ink-2">{t.refusedPageText}</p>
      {first && (
        <Link to={first.path} look="primary" className="mt-6">
          {first.title[inLanguage]}
        </Link>
      )}
    </div>
  )
}

/** What a page is for: a role without this call has no such page. Null: everybody has it. */
const callOf: Record<TypedAppRoute['path'], RouteKey | null> = {
  '/': 'GET /api/v1/statistics/overview',
  '/statistics': 'GET /api/v1/statistics/summary',
  '/collect': 'GET /api/v1/payment-link',
  '/record': lists.payments.call,
  '/record/withdrawal': lists.withdrawals.call,
  '/record/refund': lists.refunds.call,
  '/record/refund/links': lists.refundLinks.call,
  '/property': 'GET /api/v1/statistics/assets',
  '/property/fundingDetails': lists.fundFlow.call,
  '/property/WithdrawSetting': 'GET /api/v1/account/withdraw-setting',
  '/property/fixedAddr': lists.addresses.call,
  '/property/recharge': lists.recharges.call,
  '/withdraw': 'POST /api/v1/account/withdrawal',
  '/approvals': 'GET /api/v1/approval',
  '/transfer': 'POST /api/v1/account/internal-transfer',
  '/transfer/record': lists.transfers.call,
  '/appManage': lists.applications.call,
  '/connectShop': 'POST /api/v1/user/shop',
  '/callbackList': lists.callbacks.call,
  '/address': lists.addressBook.call,
  '/user/people': 'GET /api/v1/member',
  '/user/messages': null,
  '/billing': 'GET /api/v1/account/billing',
  '/workOrder': lists.workOrders.call,
  '/accountInfo': null,
  '/openAuth': 'POST /api/v1/user/opening',
  '/openAuthPage': 'POST /api/v1/user/opening',
  '/reviewing': 'POST /api/v1/user/opening',
  '/initPage': 'POST /api/v1/user/opening',
}

/** Adds to refused calls the paths of the pages that are for them. */
export const addRefusedPages = (calls: readonly string[]): string[] => [
  ...calls,
  ...Object.entries(callOf).flatMap(([path, call]) => (call && calls.includes(call) ? path : [])),
]
