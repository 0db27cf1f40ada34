import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Activity } from './Activity.tsx'
import type { AccountDialog } from './dialogs.ts'
import { Passkeys } from './Passkeys.tsx'
import { Security } from './Security.tsx'
import { Sessions } from './Sessions.tsx'
import { Shops } from './Shops.tsx'

const Dialogs = lazyComponent(() => import('./Dialogs.tsx'))

/** Merchant profile, sign-in methods, sessions and activity. */
export default function AccountPage() {
  const t = useMessages('identity')
  const user = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [dialog, setDialog] = useState<AccountDialog | null>(null)
  if (user.error && !user.data) return <ErrorState error={user.error} onRetry={() => void user.refetch()} />
  const info = user.data
  return (
    <>
      <PageHeader title={t.title} text={t.text} actions={info && <OtherPages user={info} />} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card
          title={t.merchant}
          actions={
            info && (
              <Button call="PUT /api/v1/user/edit" onClick={() => setDialog('edit')}>
                {t.edit}
              </Button>
            )
          }
        >
          {info ? (
            <DetailList
              rows={[
                [t.name, info.name],
                [t.id, <CopyText key="id" look="whole" value={info.mchid} label={t.id} />],
                [t.email, info.email],
                [t.phone, info.phone && `+${info.area_code.replace('+', '')} ${info.phone}`],
                [t.timeZone, info.time_zone],
                [t.address, [info.address.street, info.address.city, info.address.country].filter(Boolean).join(', ')],
                [t.social, Object.values(info.socials).filter(Boolean).join(', ')],
                [t.website, info.website],
              ]}
            />
          ) : (
            <Skeleton className="h-[352px] w-full" />
          )}
        </Card>
        <Card title={t.security}>
          {info ? <Security user={info} onOpen={setDialog} /> : <Skeleton className="h-[352px] w-full" />}
        </Card>
      </div>
      <Passkeys user={info} />
      {info?.member && <Shops />}
      <Sessions />
      <Activity />
      <May call="DELETE /api/v1/user">
        <Card title={t.closing} className="mt-4">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p className="text-sm text-ink-2">{t.closingText}</p>
            <Button className="text-bad!" onClick={() => setDialog('close')}>
              {t.close}
            </Button>
          </div>
        </Card>
      </May>
      {dialog && info && <Dialogs dialog={dialog} user={info} onClose={() => setDialog(null)} />}
    </>
  )
}

/** Pages about the person beside this one. */
function OtherPages({ user: { member } }: { user: RouteData<'GET /api/v1/user/info'> }) {
  const t = useMessages('identity')
  return (
    <>
      <Link to="/user/messages" look="secondary">
        {t.messages}
      </Link>
      {(member?.role ?? 'owner') === 'owner' && (
        <Link to="/user/people" look="secondary">
          {t.people}
        </Link>
      )}
    </>
  )
}
