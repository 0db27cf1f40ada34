import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { RouteData } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { BottomAction } from '../../kit/mobile/BottomAction.tsx'
import { Row, RowPlaceholders } from '../../kit/mobile/Rows.tsx'
import { useIsAccountHeld } from '../../kit/useIsAccountHeld.ts'
import { cardClass, cx } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Empty, ErrorState } from '../../ui/feedback/States.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { QuoteCard } from './QuoteCard.tsx'
import { useWithdrawal, WithdrawalConfirmation, WithdrawalFields } from './WithdrawalForm.tsx'

type Assets = RouteData<'GET /api/v1/statistics/assets'>['list']

/** A withdrawal in three steps: the asset, whom and how much, and the proof. */
export default function Withdraw() {
  const t = useMessages('withdrawals')
  const { id } = useSearch({ from: '/withdraw' })
  const { data, error, refetch } = useQuery(apiQuery('GET /api/v1/statistics/assets', { query: { all: '1' } }))
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <RowPlaceholders count={5} />
        )
      ) : id === undefined ? (
        <Choose assets={data.list} />
      ) : (
        <Enter assets={data.list} id={id} />
      )}
    </>
  )
}

const Step = ({ number, title }: { number: number; title: string }) => {
  const t = useMessages('withdrawals')
  return (
    <div className="mb-3">
      <p className="text-xs font-medium text-ink-3">{t.step(number, 3)}</p>
      <h2 className="text-xl leading-7 font-semibold tracking-tight">{title}</h2>
    </div>
  )
}

function Choose({ assets }: { assets: Assets }) {
  const t = useMessages('withdrawals')
  const navigate = useNavigate()
  const held = assets.filter(asset => Number(asset.balance) > 0)
  return (
    <>
      <Step number={1} title={t.chooseAsset} />
      {held.length === 0 ? (
        <Empty icon="wallet" title={t.nothingToWithdraw} text={t.nothingToWithdrawText} />
      ) : (
        <ul className={cx(cardClass, 'divide-y divide-line overflow-hidden')}>
          {held.map(asset => (
            <li key={asset.id}>
              <Row
                picture={<TokenLogo token={asset.token} size={36} />}
                title={asset.token}
                text={asset.chain}
                value={<Amount value={asset.balance} />}
                note={<Amount value={asset.usdt_balance} unit="USDT" />}
                onOpen={() => void navigate({ to: '.', search: { id: asset.id } })}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-6 flex flex-wrap gap-2 *:flex-auto">
        <Link to="/record/withdrawal" look="secondary" size="large">
          {t.records}
        </Link>
        <Link to="/property/WithdrawSetting" look="secondary" size="large">
          {t.settings}
        </Link>
      </div>
    </>
  )
}

function Enter({ assets, id }: { assets: Assets; id: string }) {
  const t = useMessages('withdrawals')
  const withdrawal = useWithdrawal(assets, id)
  const { asset, quoting, submit } = withdrawal
  const isHeld = useIsAccountHeld()
  return (
    <>
      <Step number={2} title={asset ? t.toWhom(asset.token, asset.chain) : t.noAsset} />
      <form {...submit} aria-label={t.title} className="flex flex-col gap-4">
        <WithdrawalFields withdrawal={withdrawal} />
        <QuoteCard {...withdrawal} />
        <BottomAction>
          <Button type="submit" look="primary" size="large" disabled={quoting || isHeld}>
            {t.review}
          </Button>
        </BottomAction>
      </form>
      <WithdrawalConfirmation withdrawal={withdrawal} />
    </>
  )
}
