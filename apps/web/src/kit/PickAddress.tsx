import { lazy, Suspense, useState } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { IconButton } from '../ui/controls/Button.tsx'

const AddressPicker = lazy(() => import('./AddressPicker.tsx'))

/** A button beside a destination that fills it from the address book. Disabled while no network is chosen. */
export function PickAddress({ chainId, onPick }: { chainId: string; onPick(address: string): void }) {
  const t = useMessages('address-book')
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="pin" label={t.pick} disabled={chainId === ''} onClick={() => setOpen(true)} />
      {open && (
        <Suspense fallback={null}>
          <AddressPicker
            chainId={chainId}
            onPick={address => {
              setOpen(false)
              onPick(address)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
