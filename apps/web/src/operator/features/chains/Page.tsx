import { formatStoredReason, nodeFailureText } from '@coffer/contract/incidents/reasons.ts'
import { language } from '../../../i18n/language.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { RereadBlocks } from '../../kit/ChainActions.tsx'
import { LogLink } from '../../kit/links.tsx'
import { RowsCard, Stack, TwoLineCell } from '../../kit/Rows.tsx'

/** Chains and their nodes. */
export default function Chains() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/chains', {})
  return (
    <>
      <PageHeader title={t.menu.chains} text={t.chainsText} actions={<LogLink text="chains/" />} />
      <div className="flex flex-col gap-4">
        <RowsCard
          title={t.chains}
          columns={[
            { title: t.chain, sticky: 'start', cell: row => <TwoLineCell first={row.name} second={row.id} /> },
            {
              title: t.state,
              cell: row => (
                <Stack>
                  <Badge kind={row.delay ? 'error' : row.enabled ? 'success' : 'closed'}>
                    {row.delay ? (t.delays[row.delay] ?? row.delay) : row.enabled ? t.upToDate : t.disabled}
                  </Badge>
                  {row.halted && (
                    <span className="text-xs text-ink-3">{formatStoredReason(row.halted, language.get())}</span>
                  )}
                </Stack>
              ),
            },
            { title: t.readTo, align: 'end', cell: row => row.read ?? '–' },
            { title: t.head, align: 'end', cell: row => row.head },
            { title: t.final, align: 'end', cell: row => row.final },
            { title: t.answered, cell: row => <Time seconds={row.read_time} /> },
          ]}
          rowActions={row => (
            <span className="inline-flex gap-2">
              {row.delay === 'halted' && (
                <ActionButton call="POST /api/operator/v1/chains/:id/resume" params={{ id: row.id }} of={row.name} />
              )}
              <RereadBlocks id={row.id} chain={row.name} final={row.final} />
            </span>
          )}
          read={read}
          empty={t.noChains}
        />
        <RowsCard
          title={t.nodes}
          columns={[
            { title: t.chain, cell: row => row.chain },
            { title: t.node, cell: row => row.host },
            { title: t.failures, align: 'end', cell: row => row.failures },
            { title: t.lastFailure, cell: row => <Time seconds={row.time} /> },
            { title: t.reason, cell: row => <Failure said={row.reason} /> },
          ]}
          read={read}
          list="nodes"
          by={['chain', 'host']}
          empty={t.noNodes}
        />
      </div>
    </>
  )
}

/** What fails at a node in words, above what it said. */
function Failure({ said }: { said: string }) {
  const words = nodeFailureText(said, language.get())
  return <TwoLineCell first={words} second={words !== said && said} />
}
