import { formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import { formatAmount } from '@coffer/contract/kit/format-amount.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { language } from '../../../i18n/language.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { useCell } from '../../../lib/useCell.ts'
import { cx } from '../../../ui/classes.ts'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { LogLink } from '../../kit/links.tsx'
import { HotWalletDrainMoves } from '../../kit/Resume.tsx'
import { Address, HealthStatus, type QueryState, RowsCard, TwoLineCell } from '../../kit/Rows.tsx'

type Data = OperatorData<'GET /api/operator/v1/wallets'>
type Wallet = Data['list'][number]

/** Wallets, transactions that wait, and sweeps. */
export default function Money() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/wallets', {})
  return (
    <>
      <PageHeader title={t.menu.money} text={t.moneyText} actions={<LogLink text="wallets/" />} />
      <div className="flex flex-col gap-4">
        <Wallets read={read} />
        <HotWalletDrainMoves />
        {read.data && read.data.waiting.length > 0 && <WaitingTransactions read={read} />}
        <Sweeps read={read} />
        <Exposure />
      </div>
    </>
  )
}

function Wallets({ read }: { read: QueryState<Data> }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.wallets}
      columns={[
        {
          title: t.wallet,
          sticky: 'start',
          cell: row => <TwoLineCell first={t.walletRoles[row.role] ?? row.role} second={row.chain} />,
        },
        { title: t.address, cell: row => <Address value={row.address} /> },
        { title: t.nextNonce, align: 'end', cell: row => row.next_nonce },
        { title: t.underWay, align: 'end', cell: row => row.open },
        { title: t.oldest, cell: row => <Time seconds={row.oldest_time} /> },
        { title: t.state, phone: 'value', cell: row => <WalletState wallet={row} /> },
      ]}
      rowActions={row => row.role === 'hot' && <WalletActions wallet={row} />}
      read={read}
      by={['chain_id', 'role']}
      empty={t.noWallets}
    />
  )
}

function WalletState({ wallet: { halted, waits, stuck } }: { wallet: Wallet }) {
  const t = useMessages('operator')
  const { kinds } = useMessages('incidents')
  if (halted) return <HealthStatus bad text={t.halted} note={formatStoredReason(halted, language.get())} />
  if (waits) return <HealthStatus bad text={t.waits} note={waits} />
  return <HealthStatus bad={Boolean(stuck)} text={stuck ? kinds.payout_stuck! : t.ready} />
}

function WaitingTransactions({ read }: { read: QueryState<Data> }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.waitingTransactions}
      columns={[
        { title: t.chain, cell: row => row.chain },
        { title: t.nonce, align: 'end', cell: row => row.nonce },
        { title: t.waitsFor, cell: row => formatStoredReason(row.waits, language.get()) },
        { title: t.time, cell: row => <Time seconds={row.since} /> },
      ]}
      read={read}
      list="waiting"
      rowActions={row =>
        row.taken && (
          <ActionButton
            call="POST /api/operator/v1/wallets/:id/abandon"
            params={{ id: row.chain_id }}
            of={row.chain}
            known={{ nonce: row.nonce }}
          />
        )
      }
      by={['chain_id', 'nonce']}
      empty={t.noWallets}
    />
  )
}

function Sweeps({ read }: { read: QueryState<Data> }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.sweeps}
      columns={[
        { title: t.chain, cell: row => row.chain },
        { title: t.token, cell: row => row.token },
        { title: t.unswept, align: 'end', cell: row => <Amount value={row.unswept} /> },
        { title: t.blockedByIssuer, align: 'end', cell: row => <Amount value={row.blocked} /> },
        { title: t.underWay, align: 'end', cell: row => row.under_way },
        { title: t.failedDay, align: 'end', cell: row => row.failed },
      ]}
      read={read}
      list="sweeps"
      by={['chain_id', 'token']}
      empty={t.noSweeps}
    />
  )
}

/** What who took over the server could take by the signer's policy. */
function Exposure() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/exposure', {})
  const { data } = read
  const inLanguage = useCell(language)
  const { data: chains } = useRead('GET /api/operator/v1/chains', {})
  const money = (text: string) => formatAmount(text, inLanguage, 'USD')
  const nameOf = (id: string) => chains?.list.find(each => each.id === id)?.name ?? id
  return (
    <RowsCard
      title={t.exposure}
      columns={[
        { title: t.chain, cell: row => nameOf(row.chain) },
        { title: t.exposedPayouts, align: 'end', cell: row => <Amount value={row.payouts} /> },
        { title: t.exposedFees, align: 'end', cell: row => <Amount value={row.fees} /> },
      ]}
      read={read}
      list="chains"
      by={['chain']}
      empty={t.noWallets}
    >
      {data && data.per_day !== '' && (
        <div className="flex flex-col gap-1 px-5 pb-3 text-[13px] text-ink-2">
          <p>{t.exposureText(money(data.per_day), data.in_all && money(data.in_all))}</p>
          {data.uncounted.length > 0 && (
            <p>{t.uncounted(joinList(data.uncounted.map(each => `${each.asset} · ${nameOf(each.chain)}`)))}</p>
          )}
          {data.remedies.length > 0 && <p>{t.lowerBy(joinList(data.remedies.map(each => t.remedies[each])))}</p>}
        </div>
      )}
    </RowsCard>
  )
}

function WalletActions({ wallet: { chain_id: id, chain, halted, emptying_time } }: { wallet: Wallet }) {
  const target = { params: { id }, of: chain }
  return (
    // Those of a halted wallet, one more, take the lines that its reason has.
    <span className={cx('flex flex-wrap gap-2', 'sm:justify-end', !halted && 'sm:flex-nowrap')}>
      <ActionButton call="POST /api/operator/v1/wallets/:id/sweep" {...target} />
      <ActionButton call="POST /api/operator/v1/wallets/:id/cancel" {...target} />
      {halted && emptying_time === 0 && <ActionButton call="POST /api/operator/v1/wallets/:id/empty" {...target} />}
      {halted ? (
        <ActionButton call="POST /api/operator/v1/wallets/:id/resume" {...target} />
      ) : (
        <ActionButton call="POST /api/operator/v1/wallets/:id/halt" {...target} />
      )}
    </span>
  )
}
