import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { RequestUnanswered } from '../../../api/failure.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { canUsePasskeys, handlePasskeyFailure, signWithPasskey } from '../../../kit/passkey.ts'
import { showToast } from '../../../lib/toast.ts'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { api, useRead } from '../../kit/api.ts'
import { MerchantLink, WithdrawalLink } from '../../kit/links.tsx'
import { Address, RowsCard, TwoLineCell } from '../../kit/Rows.tsx'
import { PayoutDetails } from './PayoutText.tsx'

type Row = OperatorData<'GET /api/operator/v1/releases'>['list'][number]

/** Payouts that the signer pays only once a person releases them; nothing while there are none. */
export function Releases() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/releases', {})
  if (!read.data?.list.length) return null
  return (
    <RowsCard
      title={t.releases}
      className="mb-4"
      columns={[
        {
          title: t.withdrawal,
          sticky: 'start',
          cell: row => {
            const isRefund = row.owner === 'refund'
            const paid = <Amount value={row.amount} unit={row.token} />
            return (
              <TwoLineCell
                first={isRefund ? paid : <WithdrawalLink id={row.id}>{paid}</WithdrawalLink>}
                second={isRefund ? `${t.refund} · ${row.chain}` : row.chain}
              />
            )
          },
        },
        { title: t.merchant, cell: row => <MerchantLink id={row.mchid}>{row.merchant || row.mchid}</MerchantLink> },
        { title: t.to, cell: row => <Address value={row.address} /> },
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
      ]}
      rowActions={row => <Release payout={row} />}
      read={read}
      by={['owner', 'id']}
      empty={t.noWithdrawals}
    >
      <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">{t.releasesText}</p>
    </RowsCard>
  )
}

/** Releases a payout with a passkey. */
export function Release({ payout }: { payout: Omit<Row, 'created_time'> }) {
  const t = useMessages('operator')
  const words = useMessages('dialogs')['POST /api/operator/v1/releases/:owner/:id']
  const params = { owner: payout.owner, id: payout.id }
  if (!canUsePasskeys()) return null
  const sign = async () => {
    const { options } = await api('GET /api/operator/v1/releases/:owner/:id', { params })
    if (!options) {
      showToast('info', t.waitsNoLonger)
      throw new RequestUnanswered('aborted')
    }
    return { passkey: await signWithPasskey(options).catch(handlePasskeyFailure()) }
  }
  return (
    <ActionButton
      call="POST /api/operator/v1/releases/:owner/:id"
      params={params}
      text={
        <>
          {payout.refused && <p className="mb-2 text-bad">{t.releaseRefused}</p>}
          <p>{words.text}</p>
          <PayoutDetails of={payout} />
        </>
      }
      form={{ initial: {}, body: sign }}
    />
  )
}
