import { useMessages } from '../../../i18n/messages.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { DecideDeposit } from '../../kit/ChainActions.tsx'
import { joinNames, useIsOneOf } from '../../kit/persons.ts'
import { RowsCard, Stack, TwoLineCell } from '../../kit/Rows.tsx'
import { merchantColumn, transactionColumn } from './depositColumns.tsx'

/** The deposits of a token that is not accepted: whose, how much, from whom, each to be credited or returned. */
export function UnacceptedTokenDeposits({ id }: { id: string }) {
  const t = useMessages('incidents')
  const common = useMessages('operator')
  const isOneOf = useIsOneOf()
  const read = useRead('GET /api/operator/v1/incidents/:id/waiting', { params: { id } })
  return (
    <RowsCard
      title={t.waitingDeposits}
      className="mb-4"
      columns={[
        {
          title: common.stakeFacts.amount,
          sticky: 'start',
          cell: row => (
            <Stack>
              <TwoLineCell first={<Amount value={row.amount} unit={row.token} exact />} second={row.id} />
              {row.asked.map(({ what, who }) => (
                <span key={what} className="max-w-48 text-xs wrap-anywhere text-ink-3">
                  {t.waitAsked[what](joinNames(who))}
                </span>
              ))}
            </Stack>
          ),
        },
        merchantColumn(t, common),
        {
          title: t.sender,
          cell: row =>
            row.from ? (
              <span className="block min-w-52">
                <CopyText look="groups" value={row.from} />
              </span>
            ) : (
              <span className="text-ink-3">{t.unknownSender}</span>
            ),
        },
        transactionColumn(common),
        { title: t.waitsSince, cell: row => <Time seconds={row.seen_time} /> },
      ]}
      rowActions={row =>
        !row.asked.some(each => isOneOf(each.who)) && (
          <span className="inline-flex flex-wrap justify-end gap-1.5">
            <DecideDeposit id={row.id} amount={row.amount} token={row.token} from={row.from} />
          </span>
        )
      }
      read={read}
      lines={2}
      empty={t.nothingWaits}
    />
  )
}
