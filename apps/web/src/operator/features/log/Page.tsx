import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useState } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { Card } from '../../../ui/data/Card.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Table } from '../../../ui/data/Table.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { useRead } from '../../kit/api.ts'

type Row = OperatorData<'GET /api/operator/v1/log'>['list'][number]

const stateText = (state: Row['before']) =>
  Object.entries(state ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** What operators did, in the console and by commands: an append-only chain that `coffer audit verify` checks. */
export default function Log() {
  const t = useMessages('operator')
  const common = useMessages('common')
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  /** The entry from which each page continues. */
  const [from, setFrom] = useState<readonly number[]>([])
  const before = from.at(-1)
  const query = { ...(before !== undefined && { before }), ...(text !== '' && { text }) }
  const { data, error, refetch } = useRead('GET /api/operator/v1/log', { query })
  return (
    <>
      <PageHeader title={t.menu.log} text={t.logText} />
      <Card flush>
        <form
          className="flex flex-wrap gap-2 px-5 py-4"
          onSubmit={event => {
            event.preventDefault()
            setFrom([])
            setText(typed.trim())
          }}
        >
          <TextInput
            aria-label={t.searchLog}
            placeholder={t.searchLog}
            className="max-w-80"
            maxLength={100}
            value={typed}
            onChange={setTyped}
          />
          <Button type="submit" icon="search">
            {common.search}
          </Button>
        </form>
        <Table
          caption={t.menu.log}
          columns={[
            { title: t.time, sticky: 'start', cell: row => <Time seconds={row.created_time} /> },
            {
              title: t.who,
              cell: row => (
                <span className="block min-w-36">
                  <span className="block break-all">{row.who}</span>
                  <span className="num block text-xs text-ink-3">{row.ip}</span>
                </span>
              ),
            },
            {
              title: t.what,
              cell: row => (
                <span className="block max-w-80 min-w-44">
                  <span className="block font-mono text-[13px] break-words">{row.action}</span>
                  <span className="block text-xs break-all text-ink-3">{row.subject}</span>
                </span>
              ),
            },
            {
              title: t.outcome,
              cell: row => (
                <span className="flex flex-col items-start gap-0.5">
                  <Badge kind={row.outcome === 'done' ? 'success' : 'error'}>{t.outcomes[row.outcome]}</Badge>
                  {row.reason && <span className="text-xs text-ink-3">{row.reason}</span>}
                </span>
              ),
            },
            {
              title: t.before,
              cell: row => (
                <span className="block min-w-40 text-xs break-words text-ink-2">{stateText(row.before)}</span>
              ),
            },
            {
              title: t.after,
              cell: row => (
                <span className="block min-w-40 text-xs break-words text-ink-2">{stateText(row.after)}</span>
              ),
            },
          ]}
          rows={data?.list}
          rowKey={row => String(row.seq)}
          lines={2}
          error={error}
          onRetry={() => void refetch()}
        />
        <div className="flex gap-2 px-5 py-3">
          <Button disabled={from.length === 0} onClick={() => setFrom(from.slice(0, -1))}>
            {t.newer}
          </Button>
          <Button disabled={!data?.next} onClick={() => setFrom([...from, data!.next])}>
            {t.older}
          </Button>
        </div>
      </Card>
    </>
  )
}
