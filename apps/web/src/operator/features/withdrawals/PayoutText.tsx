import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { Amount } from '../../../ui/data/Values.tsx'
import { MerchantLink } from '../../kit/links.tsx'
import { joinNames } from '../../kit/persons.ts'

interface Payout {
  amount: string
  token: string
  chain: string
  address: string
  mchid: string
  merchant: string
}

/** Whose money goes where. */
export function PayoutDetails({ of: { amount, token, chain, address, mchid, merchant } }: { of: Payout }) {
  const t = useMessages('operator')
  return (
    <DetailList
      rows={[
        [t.stakeFacts.amount, <Amount key="a" value={amount} unit={`${token} · ${chain}`} exact />],
        [
          t.merchant,
          <MerchantLink key="m" id={mchid}>
            {merchant || mchid}
          </MerchantLink>,
        ],
        [t.to, <CopyText key="t" look="groups" value={address} />],
      ]}
    />
  )
}

interface Paid extends Omit<Payout, 'amount' | 'merchant'> {
  receives: string
  name: string
}

interface Approved extends Paid {
  people: number
  approvals: OperatorData<'GET /api/operator/v1/withdrawals'>['list'][number]['approvals']
}

/** Whose money a payout is, and where it goes. */
export const PaidDetails = ({ payout: { receives, name, ...of } }: { payout: Paid }) => (
  <PayoutDetails of={{ ...of, amount: receives, merchant: name }} />
)

/** What an approval sends, to whom, and whether it takes a second operator. */
export function ApprovalDetails({ payout }: { payout: Approved }) {
  const t = useMessages('operator')
  const { people, approvals } = payout
  return (
    <>
      <PaidDetails payout={payout} />
      {people > 1 && (
        <p className="mt-2 rounded-lg bg-sunken px-3 py-2 text-ink">{t.twoPeople(joinNames(approvals))}</p>
      )}
    </>
  )
}
