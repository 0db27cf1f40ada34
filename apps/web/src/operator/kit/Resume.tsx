import { useMessages } from '../../i18n/messages.ts'
import { Transaction } from '../../ui/data/Transaction.tsx'
import { Amount, Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Action } from './Action.tsx'
import { useRead } from './api.ts'
import { RowsCard, Stack, Two } from './Rows.tsx'
import { StakesText, togetherForm } from './Together.tsx'

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
    <Action
      call={call}
      params={{ id }}
      of={chain}
      label={t.resumeWallet}
      text={
        <StakesText call={call} id={id}>
          {t.resumeWalletText}
        </StakesText>
      }
      {...togetherForm(t)}
      look="danger"
    />
  )
}

/** Moves all that the hot wallet of a chain has to the treasury; nothing while it does. */
export function EmptyWallet({ id, chain }: Chain) {
  const t = useMessages('operator')
  const call = 'POST /api/operator/v1/wallets/:id/empty'
  const { data } = useRead('GET /api/operator/v1/wallets', {})
  if (data?.list.some(each => each.chain_id === id && each.emptying_time > 0)) return null
  return (
    <Action
      call={call}
      params={{ id }}
      of={chain}
      label={t.empty}
      text={
        <StakesText call={call} id={id}>
          {t.emptyText}
        </StakesText>
      }
      {...togetherForm(t)}
      look="danger"
    />
  )
}

/** What moves to the treasury from the hot wallet of a chain, or of all; nothing while none is being emptied. */
export function EmptyingMoves({ id }: { id?: string }) {
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
          cell: row => <Two first={<Amount value={row.amount} unit={row.token} exact />} second={row.chain} />,
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
          cell: row => row.txid && <Transaction txid={row.txid} url={row.explorer} label={t.transaction} />,
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
    <Action
      call={call}
      params={{ id }}
      label={label}
      of={t.queueNames[id]}
      {...(id === 'withdrawals' && { look: 'danger' })}
      text={
        id === 'withdrawals' ? (
          <StakesText call={call} id={id}>
            {text}
          </StakesText>
        ) : (
          text
        )
      }
      {...togetherForm(t)}
    />
  )
}
