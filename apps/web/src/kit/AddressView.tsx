import type { Data } from '@coffer/contract'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { useMessages } from '../i18n/messages.ts'
import { CopyText } from '../ui/data/Values.tsx'
import { Icon } from '../ui/icons.tsx'
import { ChainLogo } from '../ui/logos/Logo.tsx'

type Address = Pick<Data<'POST /api/v1/account/fixed-address'>, 'address' | 'chain' | 'net_work' | 'tokens'>

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
      <QrCode text={address.address} />
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

const quietModules = 2
const sizePx = 168

/** Dark on white in both themes, as scanners expect. */
function QrCode({ text }: { text: string }) {
  const t = useMessages('ledger')
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg
      role="img"
      aria-label={t.qrLabel(text)}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="shrink-0 rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function draw(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { size, path }
}
