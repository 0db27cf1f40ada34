import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { lazyComponent } from '../../lib/later.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Empty, Loading } from '../../ui/feedback/States.tsx'
import { ApprovalCard } from './ApprovalCard.tsx'
import { type ApprovalDecision, decidedAtOnceMax, type WaitingWithdrawal } from './approvals.ts'

const DecideModal = lazyComponent(() => import('./DecideModal.tsx'))

/** What is being decided. */
interface Deciding {
  decision: ApprovalDecision
  rows: readonly WaitingWithdrawal[]
}

/** The withdrawals about which this member may decide, one by one or several at once. */
export default function ApprovalsPage() {
  const t = useMessages('approvals')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/approval', {}))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [deciding, setDeciding] = useState<Deciding>()
  const list = data?.list ?? []
  // What was decided elsewhere is not chosen any more.
  const selected = list.filter(({ id }) => chosen.includes(id))
  const choose = (id: string, on: boolean) => setChosen(on ? [...chosen, id] : chosen.filter(each => each !== id))
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      {!data ? (
        <Card>
          <Loading of={{ error, refetch }} className="h-72 w-full" />
        </Card>
      ) : list.length === 0 ? (
        <Card>
          <Empty icon="check" title={t.emptyTitle} text={t.emptyText} />
        </Card>
      ) : (
        <div className="flex max-w-4xl flex-col gap-4">
          {list.length > 1 && (
            <Selection
              list={list}
              selected={selected}
              onChoose={setChosen}
              onDecide={decision => setDeciding({ decision, rows: selected })}
            />
          )}
          <ul aria-label={t.list} className="flex flex-col gap-4">
            {list.map(row => (
              <li key={row.id}>
                <ApprovalCard
                  row={row}
                  {...(list.length > 1 && { checked: chosen.includes(row.id) })}
                  full={selected.length >= decidedAtOnceMax}
                  onCheck={on => choose(row.id, on)}
                  onDecide={decision => setDeciding({ decision, rows: [row] })}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {deciding && <DecideModal {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  )
}

interface SelectionProps {
  list: readonly WaitingWithdrawal[]
  selected: readonly WaitingWithdrawal[]
  onChoose(ids: readonly string[]): void
  onDecide(decision: ApprovalDecision): void
}

/** Chooses all of the list, and decides about what is chosen. */
function Selection({ list, selected, onChoose, onDecide }: SelectionProps) {
  const t = useMessages('approvals')
  const first = list.slice(0, decidedAtOnceMax)
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Checkbox
          label={t.selectAll}
          hint={list.length > decidedAtOnceMax && t.mostAtOnce(decidedAtOnceMax)}
          checked={selected.length >= first.length}
          onChange={on => onChoose(on ? first.map(({ id }) => id) : [])}
        />
        <div className="flex flex-wrap items-center gap-2">
          <span role="status" className="num mr-1 text-[13px] text-ink-3">
            {selected.length > 0 && t.selected(selected.length)}
          </span>
          <Button disabled={selected.length === 0} onClick={() => onDecide('reject')}>
            {t.reject}
          </Button>
          <Button look="primary" disabled={selected.length === 0} onClick={() => onDecide('approve')}>
            {t.approve}
          </Button>
        </div>
      </div>
    </Card>
  )
}
