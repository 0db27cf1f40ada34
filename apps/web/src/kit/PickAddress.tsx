import { useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { later } from '../lib/later.tsx'
import { Button } from '../ui/controls/Button.tsx'

const AddressPicker = later(() => import('./AddressPicker.tsx'))

/** A button beside a destination that fills it from the address book. Disabled while no network is chosen. */
export function PickAddress({ chainId, onPick }: { chainId: string; onPick(address: string): void }) {
  const t = useMessages('address-book')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon="pin"
        aria-label={t.pick}
        className="shrink-0"
        disabled={chainId === ''}
        onClick={() => setOpen(true)}
      >
        {t.book}
      </Button>
      {open && (
        <AddressPicker
          chainId={chainId}
          onPick={address => {
            setOpen(false)
            onPick(address)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
