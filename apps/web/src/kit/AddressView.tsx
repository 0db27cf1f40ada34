import type { RouteData } from '@coffer/contract'
import { useMessages } from '../i18n/messages.ts'
import { CopyText } from '../ui/data/CopyText.tsx'
import { Qr } from '../ui/data/Qr.tsx'
import { Icon } from '../ui/icons.tsx'
import { ChainLogo } from '../ui/logos/Logo.tsx'

type Address = Pick<RouteData<'POST /api/v1/account/fixed-address'>, 'address' | 'chain' | 'net_work' | 'tokens'>

interface Props {
  address: Address
  confirmations: number | undefined
}

/** A fixed address with QR code and accepted tokens. */
export function AddressView({ address, confirmations }: Props) {
  const t = useMessages('ledger')
  const tokens = address.tokens.reduce((all, token) => (all ? t.either(all, token) : token), '')
  return (
    <section aria-live="polite" className="flex flex-wrap items-start gap-x-8 gap-y-4">
      <Qr text={address.address} label={t.qrLabel(address.address)} />
      <div className="min-w-0 flex-[1_1_320px]">
        <p className="inline-flex items-center gap-2 font-medium">
          <ChainLogo chain={address.chain} />
          {address.chain}
          <span className="font-normal text-ink-3">{address.net_work}</span>
        </p>
        <p className="mt-3 text-[13px] text-ink-3">{t.address}</p>
        <p className="text-base font-medium">
          <CopyText look="groups" value={address.address} label={t.address} />
        </p>
        <p className="mt-3 flex items-start gap-2 text-[13px] text-ink-2">
          <Icon name="warning" size={16} className="mt-0.5 shrink-0 text-ink-3" />
          {t.accepted(tokens)}
        </p>
        {confirmations !== undefined && (
          <p className="num mt-1 pl-6 text-[13px] text-ink-3">{t.confirmations(confirmations)}</p>
        )}
      </div>
    </section>
  )
}
