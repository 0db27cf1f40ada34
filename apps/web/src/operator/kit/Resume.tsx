import { useMessages } from '../../i18n/messages.ts'
import { TransactionHash } from '../../ui/data/TransactionHash.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { useRead } from './api.ts'
import { RowsCard, Stack, TwoLineCell } from './Rows.tsx'

/** What moves to the treasury from the hot wallet of a chain, or of all; nothing while none is being emptied. */
export function HotWalletDrainMoves({ id }: { id?: string }) {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/wallets', {})
  const { data } = read
  const isHere = (each: { chain_id: string }) => id === undefined || each.chain_id === id
  if (!data?.list.some(each => isHere(each) && each.emptying_time > 0)) return null
  return (
    <RowsCard
      title={t.moves}
      columns={[
        {
          title: t.stakeFacts.amount,
          sticky: 'start',
          cell: row => <TwoLineCell first={<Amount value={row.amount} unit={row.token} exact />} second={row.chain} />,
        },
        {
          title: t.state,
          phone: 'value',
          cell: row => (
            <Stack>
              <Badge kind={moveKinds[row.state]}>{t.moveStates[row.state]}</Badge>
              {row.waits && <span className="text-xs wrap-anywhere text-ink-3">{row.waits}</span>}
            </Stack>
          ),
        },
        {
          title: t.transaction,
          cell: row => row.txid && <TransactionHash txid={row.txid} url={row.explorer} label={t.transaction} />,
        },
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
      ]}
      read={{ ...read, data: { ...data, moves: data.moves.filter(isHere) } }}
      list="moves"
      by={['chain_id', 'nonce']}
      lines={2}
      empty={t.noMoves}
    />
  )
}

const moveKinds = {
  signing: 'processing',
  sent: 'processing',
  in_block: 'processing',
  arrived: 'success',
  failed: 'error',
} as const
