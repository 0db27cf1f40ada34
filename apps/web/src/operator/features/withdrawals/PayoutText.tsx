import { listed } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'

interface Payout {
  receives: string
  token: string
  chain: string
  address: string
  people: number
  approvals: readonly string[]
}

/** What an approval sends, to whom, and whether it takes a second operator. */
export function PayoutText({ payout: { receives, token, chain, address, people, approvals } }: { payout: Payout }) {
  const t = useMessages('operator')
  return (
    <>
      <p>{t.approveWithdrawalText(`${receives} ${token}`, chain)}</p>
      <p className="mt-2">
        <CopyText look="groups" value={address} />
      </p>
      {people > 1 && <p className="mt-2">{t.twoPeople(listed(approvals))}</p>}
    </>
  )
}
