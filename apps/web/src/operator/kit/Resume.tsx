import { useMessages } from '../../i18n/messages.ts'
import { TransactionHash } from '../../ui/data/TransactionHash.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ActionButton } from './ActionButton.tsx'
import { useRead } from './api.ts'
import { RowsCard, Stack, TwoLineCell } from './Rows.tsx'
import { ImpactText, secondOperatorForm } from './Together.tsx'

/** A chain, and its name. */
interface Chain {
  id: string
  chain: string
}

/** Resumes the halted hot wallet of a chain. */
export function ResumeWallet({ id, chain }: Chain) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/wallets/:id/resume'
  return (
    <ActionButton
      call={call}
      params={{ id }}
      of={chain}
      label={t.resumeWallet}
      text={
        <ImpactText call={call} id={id}>
          {t.resumeWalletText}
        </ImpactText>
      }
      {...secondOperatorForm(t)}
      look="danger"
    />
  )
}

/** Moves all that the hot wallet of a chain has to the treasury; nothing while it does. */
export function DrainHotWallet({ id, chain }: Chain) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/wallets/:id/empty'
  const { data } = useRead('GET /api/operator/v1/wallets', {})
  if (data?.list.some(each => each.chain_id === id && each.emptying_time > 0)) return null
  return (
    <ActionButton
      call={call}
      params={{ id }}
      of={chain}
      label={t.empty}
      text={
        <ImpactText call={call} id={id}>
          {t.emptyText}
        </ImpactText>
      }
      {...secondOperatorForm(t)}
      look="danger"
    />
  )
}

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

/** Resumes a paused queue, or withdrawals that miss money. */
export function ResumeQueue({
  id,
  label,
  text,
}: {
  id: 'withdrawals' | 'callbacks' | 'sweeps'
  label: string
  text: string
}) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/queues/:id/resume'
  return (
    <ActionButton
      call={call}
      params={{ id }}
      label={label}
      of={t.queueNames[id]}
      {...(id === 'withdrawals' && { look: 'danger' })}
      text={
        id === 'withdrawals' ? (
          <ImpactText call={call} id={id}>
            {text}
          </ImpactText>
        ) : (
          text
        )
      }
      {...secondOperatorForm(t)}
    />
  )
}
