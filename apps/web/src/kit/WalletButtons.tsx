import { useMessages } from '../i18n/messages.ts'
import { Button } from '../ui/controls/Button.tsx'
import { type BrowserWallet, useWallets } from './wallet.ts'

interface Props {
  /** The wallet that is being used. */
  busy: string | null
  onChoose(wallet: BrowserWallet): void
}

/** A button for each wallet of this browser. */
export function WalletButtons({ busy, onChoose }: Props) {
  const t = useMessages('proof').wallets
  const wallets = useWallets()
  if (wallets.length === 0) return <p className="rounded-lg bg-sunken px-3 py-2.5 text-[13px] text-ink-2">{t.none}</p>
  return (
    <div className="flex flex-col gap-2">
      {wallets.map(wallet => (
        <Button
          key={wallet.id}
          size="large"
          className="w-full"
          busy={busy === wallet.id}
          disabled={busy !== null}
          onClick={() => onChoose(wallet)}
        >
          {wallet.icon !== '' && busy !== wallet.id && <img src={wallet.icon} alt="" className="size-5 rounded-sm" />}
          {wallet.name}
        </Button>
      ))}
    </div>
  )
}
