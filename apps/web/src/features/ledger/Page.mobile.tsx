import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { formatShare } from '../../i18n/format.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BottomAction } from '../../kit/mobile/BottomAction.tsx'
import { HeadlineBalance, HideableAmount } from '../../kit/mobile/HeadlineBalance.tsx'
import { Row, RowPlaceholders } from '../../kit/mobile/Rows.tsx'
import { lazyComponent } from '../../lib/later.tsx'
import { useCell } from '../../lib/useCell.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/controls/Choice.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { DetailList } from '../../ui/data/DetailList.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { type Balance as Asset, computeBalanceShare, filterBalances } from './balances.ts'

const ProofButton = lazyComponent(() => import('./ProofButton.tsx'))

/** Assets on a phone. */
export default function Assets() {
  const t = useMessages('ledger')
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: { all: '1' } }))
  const [hideZero, setHideZero] = useState(true)
  const [open, setOpen] = useState<Asset | null>(null)
  const rows = data && filterBalances(data.list, '', hideZero)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <section aria-label={t.totalValue} aria-busy={data === undefined} className={cx(cardClass, 'px-4 py-4')}>
        <HeadlineBalance label={t.totalValue} value={data?.total_value} note={t.totalNote} />
      </section>
      <div className="flex min-h-11 items-center justify-between pt-3">
        <h2 className="px-1 text-[13px] font-medium text-ink-2">{t.balances}</h2>
        <Checkbox label={t.hideZero} checked={hideZero} onChange={setHideZero} />
      </div>
      {!rows ? (
        <RowPlaceholders count={4} />
      ) : rows.length === 0 ? (
        <Empty icon="wallet" title={t.emptyTitle} text={t.emptyText} />
      ) : (
        <ul className={cx(cardClass, 'divide-y divide-line overflow-hidden')}>
          {rows.map(row => (
            <li key={row.id}>
              <AssetRow asset={row} total={data.total_value} onOpen={() => setOpen(row)} />
            </li>
          ))}
        </ul>
      )}
      <div className="flex justify-center pt-4 empty:hidden">
        <ProofButton />
      </div>
      <BottomAction>
        <Link to="/property/recharge" look="secondary" size="large">
          {t.recharge}
        </Link>
        <Link to="/withdraw" look="primary" size="large">
          {t.withdraw}
        </Link>
      </BottomAction>
      <Details asset={open} onClose={() => setOpen(null)} />
    </>
  )
}

function AssetRow({ asset, total, onOpen }: { asset: Asset; total: string; onOpen(): void }) {
  const inLanguage = useCell(language)
  return (
    <Row
      picture={<TokenLogo token={asset.token} size={36} />}
      title={asset.token}
      text={asset.chain}
      value={
        <HideableAmount>
          <Amount value={asset.balance} />
        </HideableAmount>
      }
      note={
        <>
          <HideableAmount>
            <Amount value={asset.usdt_balance} unit="USDT" />
          </HideableAmount>{' '}
          · {formatShare(computeBalanceShare(asset.usdt_balance, total), inLanguage)}
        </>
      }
      onOpen={onOpen}
    />
  )
}

/** What is available and reserved of an asset. */
function Details({ asset, onClose }: { asset: Asset | null; onClose(): void }) {
  const t = useMessages('ledger')
  return (
    <Modal
      open={asset !== null}
      title={asset ? `${asset.token} · ${asset.chain}` : ''}
      onClose={onClose}
      actions={
        asset && (
          <Link
            to="/withdraw"
            search={{ id: asset.id }}
            look="primary"
            size="large"
            aria-label={t.withdrawNamed(asset.token, asset.chain)}
          >
            {t.withdraw}
          </Link>
        )
      }
    >
      {asset && (
        <DetailList
          rows={[
            [t.available, <Amount exact key="available" value={asset.balance} unit={asset.token} />],
            [t.held, <Amount exact key="held" value={asset.held} unit={asset.token} />],
            [t.value, <Amount exact key="value" value={asset.usdt_balance} unit="USDT" />],
          ]}
        />
      )}
    </Modal>
  )
}
