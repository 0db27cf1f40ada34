import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { canUsePasskeys } from '../../kit/passkey.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Loading } from '../../ui/feedback/States.tsx'
import type { AccountUser, Passkey, PasskeyTask } from './dialogs.ts'

const PasskeyDialog = lazyComponent(() => import('./PasskeyDialog.tsx'))

/** The merchant's passkeys. At least two are recommended, because a device can be lost. */
export function Passkeys({ user }: { user: AccountUser | undefined }) {
  const t = useMessages('identity')
  const passkeys = useQuery(apiQuery('GET /api/v1/user/passkey', {}))
  const [task, setTask] = useState<PasskeyTask | null>(null)
  const list = passkeys.data?.list
  const usable = list?.filter(each => each.host === undefined).length
  const possible = canUsePasskeys() && passkeys.data?.available === true
  return (
    <Card
      title={t.passkeys}
      className="mt-4"
      actions={
        <Button disabled={!possible} onClick={() => setTask({ verb: 'add' })}>
          {t.addPasskey}
        </Button>
      }
    >
      {!list ? (
        <Loading of={passkeys} className="h-11 w-full" />
      ) : (
        <>
          <p className="text-[13px] text-ink-2">
            {!possible ? t.passkeysNotHere : usable === 1 ? t.passkeysOne : t.passkeysText}
          </p>
          <ul className="mt-3 divide-y divide-line text-sm empty:hidden">
            {list.map(passkey => (
              <PasskeyItem key={passkey.id} passkey={passkey} onTask={setTask} />
            ))}
          </ul>
        </>
      )}
      {task && user && <PasskeyDialog task={task} user={user} onClose={() => setTask(null)} />}
    </Card>
  )
}

function PasskeyItem({ passkey, onTask }: { passkey: Passkey; onTask(task: PasskeyTask): void }) {
  const t = useMessages('identity')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 last:pb-0">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <span className="font-medium break-all">{passkey.name}</span>
        {passkey.blocked && <Badge kind="error">{t.passkeyBlocked}</Badge>}
        {passkey.host !== undefined && <Badge kind="error">{t.passkeyElsewhere}</Badge>}
        {passkey.synced && <Badge kind="closed">{t.passkeySynced}</Badge>}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="num text-[13px] text-ink-3">
          {t.passkeyAdded} <Time seconds={passkey.created_time} /> · {t.passkeyUsed}{' '}
          {passkey.last_used > 0 ? <Time seconds={passkey.last_used} /> : t.never}
        </span>
        <span className="flex gap-2">
          <Button
            size="small"
            aria-label={`${t.rename}: ${passkey.name}`}
            onClick={() => onTask({ verb: 'rename', passkey })}
          >
            {t.rename}
          </Button>
          <Button
            size="small"
            aria-label={`${t.remove}: ${passkey.name}`}
            onClick={() => onTask({ verb: 'remove', passkey })}
          >
            {t.remove}
          </Button>
        </span>
      </span>
      {passkey.host !== undefined && (
        <p className="basis-full text-[13px] wrap-anywhere text-ink-2">{t.passkeyElsewhereText(passkey.host)}</p>
      )}
    </li>
  )
}
