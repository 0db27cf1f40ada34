import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Amount } from '../../../ui/data/Values.tsx'
import { Badge, type BadgeKind } from '../../../ui/feedback/Badge.tsx'
import { useRead } from '../../kit/api.ts'
import { UndoDeposit } from '../../kit/ChainActions.tsx'
import { joinNames, useIsOneOf } from '../../kit/persons.ts'
import { RowsCard, Stack, TwoLineCell } from '../../kit/Rows.tsx'
import { merchantColumn, transactionColumn } from './depositColumns.tsx'

type Deposit = OperatorData<'GET /api/operator/v1/incidents/:id/deposits'>['list'][number]

const standsKinds: Record<Deposit['stands'], BadgeKind> = { yes: 'success', no: 'error', unknown: 'closed' }
const stateKinds: Record<Deposit['state'], BadgeKind> = { doubted: 'processing', undone: 'closed', restored: 'success' }

/** How often (ms) the nodes are queried whether the transactions stand. */
const pollMs = 30_000

/** The deposits that a deep reorg left in doubt: whose, how much, and whether the network has them now. */
export function Deposits({ id }: { id: string }) {
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const isOneOf = useIsOneOf()
  const read = useRead('GET /api/operator/v1/incidents/:id/deposits', { params: { id } }, { every: pollMs })
  return (
    <RowsCard
      title={t.deposits}
      className="mb-4"
      columns={[
        {
          title: common.stakeFacts.amount,
          sticky: 'start',
          cell: row => <TwoLineCell first={<Amount value={row.amount} unit={row.token} exact />} second={row.id} />,
        },
        merchantColumn(t, common),
        {
          title: t.onNetwork,
          cell: row => (
            <Stack>
              <Badge kind={standsKinds[row.stands]}>{t.stands[row.stands]}</Badge>
              <span className="text-xs whitespace-nowrap text-ink-3">{t.standsNotes[row.stands]}</span>
            </Stack>
          ),
        },
        transactionColumn(common),
        {
          title: t.availableNow,
          align: 'end',
          cell: row => (
            <span className="flex min-w-36 flex-col items-end">
              <Amount value={row.available} unit={row.token} />
              {row.state === 'doubted' && row.spent && (
                <span className="mt-0.5 block max-w-64 text-xs text-balance whitespace-normal text-bad">
                  {t.tooLittle}
                </span>
              )}
            </span>
          ),
        },
        {
          title: common.state,
          cell: row => (
            <Stack>
              <Badge kind={stateKinds[row.state]}>{t.depositStates[row.state]}</Badge>
              {row.state === 'doubted' && row.asked.length > 0 && (
                <span className="max-w-48 text-xs wrap-break-word text-ink-3">{t.askedBy(joinNames(row.asked))}</span>
              )}
            </Stack>
          ),
        },
      ]}
      rowActions={row =>
        row.state === 'doubted' && !isOneOf(row.asked) && <UndoDeposit id={row.id} stands={row.stands === 'yes'} />
      }
      read={read}
      lines={2}
      empty={t.noDeposits}
    />
  )
}
