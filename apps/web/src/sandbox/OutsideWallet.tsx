import type { SandboxBalance, SandboxTransaction } from '@coffer/contract/sandbox/answers.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatLocalTime } from '../i18n/format.ts'
import { useMessages } from '../i18n/messages.ts'
import { CopyText } from '../ui/data/CopyText.tsx'
import { Amount } from '../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../ui/feedback/States.tsx'
import { pollMs, requestSandbox } from './call.ts'

interface Balances {
  address: string
  list: SandboxBalance[]
}

/** The merchant's wallet outside Coffer: its address, to withdraw to, and what has arrived. */
export function OutsideWallet() {
  const t = useMessages('sandbox')
  const { data, error, refetch } = useQuery({
    queryKey: ['sandbox', 'wallet'],
    queryFn: () => requestSandbox<Balances>('wallet'),
    refetchInterval: pollMs,
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="mx-5 mb-5 h-32" />
  return (
    <>
      <div className="border-t border-line px-5 py-4">
        <p className="text-[13px] text-ink-2">{t.outsideNote}</p>
        <CopyText look="groups" value={data.address} label={t.address} />
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {data.list.map(({ chain, token, amount }) => (
          <li key={chain + token} className="flex items-center justify-between gap-4 px-5 py-2.5">
            <span className="text-[13px] text-ink-3">{chain}</span>
            <Amount value={amount} unit={token} className="font-medium" />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A transaction of the local chains, as a block explorer shows it. */
export function Transaction({ txid }: { txid: string }) {
  const t = useMessages('sandbox')
  const { data, error, refetch } = useQuery({
    queryKey: ['sandbox', 'transactions', txid],
    queryFn: () => requestSandbox<SandboxTransaction>(`transactions/${encodeURIComponent(txid)}`),
    refetchInterval: pollMs,
    retry: false,
  })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="mx-5 mb-5 h-32" />
  return (
    <dl className="grid gap-x-6 gap-y-3 border-t border-line px-5 py-4 sm:grid-cols-[auto_minmax(0,1fr)]">
      <Line name={t.txid}>
        <CopyText look="groups" value={data.txid} label={t.txid} />
      </Line>
      <Line name={t.status}>
        {data.succeeded ? t.succeeded : t.failed} ·{' '}
        <span className="num">{t.confirmations(data.chain, data.block, data.confirmations)}</span>
      </Line>
      <Line name={t.time}>
        <span className="num">{formatLocalTime(data.time)}</span>
      </Line>
      {data.moves.map((move, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what a transaction moved never changes
        <Line key={index} name={<Amount value={move.amount} unit={move.token} className="font-medium text-ink" />}>
          <span className="block text-[13px] text-ink-3">{t.from}</span>
          <CopyText look="groups" value={move.from} label={t.from} />
          <span className="block text-[13px] text-ink-3">{t.toAddress}</span>
          <CopyText look="groups" value={move.to} label={t.toAddress} />
        </Line>
      ))}
    </dl>
  )
}

const Line = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt className="pt-1 text-[13px] text-ink-2">{name}</dt>
    <dd className="min-w-0 pt-1">{children}</dd>
  </>
)
