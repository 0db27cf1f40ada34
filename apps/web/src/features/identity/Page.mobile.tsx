import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { logout } from '../../kit/logout.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { May } from '../../ui/controls/May.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Activity } from './Activity.tsx'
import type { AccountDialog } from './dialogs.ts'
import { Passkeys } from './Passkeys.tsx'
import { PushNotificationSettings } from './PushNotificationSettings.tsx'
import { Security } from './Security.tsx'
import { Sessions } from './Sessions.tsx'
import { Shops } from './Shops.tsx'

const Dialogs = lazyComponent(() => import('./Dialogs.tsx'))

/** Account and security on a phone. */
export default function Me() {
  const t = useMessages('identity')
  const shell = useMessages('shell')
  const { data: user, error, refetch } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const [dialog, setDialog] = useState<AccountDialog | null>(null)
  if (error && !user) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <div className="flex flex-col gap-4">
        {user ? (
          <Card>
            <div className="flex flex-wrap items-center gap-3">
              <span className="flex size-12 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-text">
                <Icon name="user" size={24} />
              </span>
              <div className="min-w-0 flex-[1_1_144px]">
                <p className="text-[17px] font-semibold wrap-anywhere">{user.name || user.email}</p>
                <p className="text-[13px] text-ink-2 wrap-anywhere">{user.email}</p>
                <CopyText look="whole" value={user.mchid} label={t.id} />
              </div>
              <Button call="PUT /api/v1/user/edit" className="ml-auto" onClick={() => setDialog('edit')}>
                {t.edit}
              </Button>
            </div>
          </Card>
        ) : (
          <Skeleton className="h-28 w-full rounded-lg" />
        )}
        <Link to="/user/messages" look="secondary">
          {t.messages}
        </Link>
        {user && (user.member?.role ?? 'owner') === 'owner' && (
          <Link to="/user/people" look="secondary">
            {t.people}
          </Link>
        )}
        {user?.member && <Shops />}
        <Card title={t.security}>
          {user ? <Security user={user} onOpen={setDialog} /> : <Skeleton className="h-[352px] w-full" />}
        </Card>
        <May call="GET /api/v1/message/push">
          <PushNotificationSettings />
        </May>
      </div>
      <Passkeys user={user} />
      <Sessions />
      <Activity />
      <div className="mt-6 flex flex-col gap-2">
        <Button size="large" icon="logout" onClick={() => void logout()}>
          {shell.logout}
        </Button>
        <Button
          call="DELETE /api/v1/user"
          size="large"
          look="ghost"
          className="text-bad!"
          onClick={() => setDialog('close')}
        >
          {t.close}
        </Button>
      </div>
      {dialog && user && <Dialogs dialog={dialog} user={user} onClose={() => setDialog(null)} />}
    </>
  )
}
