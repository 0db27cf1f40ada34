import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { lazy, Suspense } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { Card, Stat } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount } from '../../../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../../../ui/feedback/States.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useRead } from '../../kit/api.ts'
import { useAlarms } from './alarms.tsx'
import { Liquidity } from './Liquidity.tsx'
import { type TodayItem, TodayItems } from './TodayItems.tsx'
import { buildOperatorTasks } from './tasks.tsx'

const PendingRows = lazy(() => import('./PendingRows.tsx'))

type Data = OperatorData<'GET /api/operator/v1/today'>

/** What needs a person, money in and out, and what each wallet holds beside what is reserved. */
export default function Today() {
  const t = useMessages('operator')
  const { data, error, refetch } = useRead('GET /api/operator/v1/today', {})
  const alarms = useAlarms(data)
  return (
    <>
      <PageHeader title={t.menu.today} text={t.todayText} />
      <Alarms items={alarms} />
      <Pending />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
          <Tasks today={data} hasAlarms={alarms.length > 0} />
          <Moved today={data} />
          <Liquidity />
        </div>
      )}
    </>
  )
}

/** What one operator has requested and another one must; nothing while there is none. */
function Pending() {
  const { data } = useRead('GET /api/operator/v1/decisions', {})
  if (!data?.list.length) return null
  return (
    // What is on screen stays while its code is loaded.
    <Suspense fallback={null}>
      <PendingRows />
    </Suspense>
  )
}

function Alarms({ items }: { items: readonly TodayItem[] }) {
  const t = useMessages('operator')
  if (items.length === 0) return null
  return (
    <Card title={t.alarms} flush className="mb-4 border-bad!">
      <TodayItems items={items} alarm />
    </Card>
  )
}

function Tasks({ today, hasAlarms }: { today: Data | undefined; hasAlarms: boolean }) {
  const t = useMessages('operator')
  const releases = useRead('GET /api/operator/v1/releases', {}).data?.list ?? []
  const tasks = today && buildOperatorTasks(t, today, releases)
  return (
    <Card title={t.todo} flush className="lg:col-span-2">
      {!tasks ? (
        <Skeleton className="m-5 h-24" />
      ) : tasks.length > 0 ? (
        <TodayItems items={tasks} />
      ) : (
        <p className="flex items-center gap-2 px-5 pb-5 text-sm text-ink-2">
          {!hasAlarms && <Icon name="check" className="text-good" />}
          {hasAlarms ? t.alarmsFirst : t.nothingToDo}
        </p>
      )}
    </Card>
  )
}

/** Money in and out since midnight, beside that of yesterday. */
function Moved({ today }: { today: Data | undefined }) {
  const t = useMessages('operator')
  return (
    <Card title={t.moved}>
      {today ? (
        <div className="flex flex-col gap-4">
          <p className="-mt-2 text-xs text-ink-3">{t.sinceMidnight}</p>
          <Stat
            label={t.moneyIn}
            value={<Amount value={today.in_usdt} unit="USDT" />}
            note={<Yesterday value={today.in_usdt_before} />}
          />
          <Stat
            label={t.moneyOut}
            value={<Amount value={today.out_usdt} unit="USDT" />}
            note={<Yesterday value={today.out_usdt_before} />}
          />
        </div>
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
    </Card>
  )
}

function Yesterday({ value }: { value: string }) {
  const t = useMessages('operator')
  return (
    <>
      {t.yesterday} <Amount value={value} unit="USDT" />
    </>
  )
}
