import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cell } from '../../lib/cell.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { useCell } from '../../lib/useCell.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { Stat } from '../../ui/data/Card.tsx'
import { Figure } from '../../ui/data/Figure.tsx'

/** Whether the phone's balances are hidden, as chosen on this device. */
const hidden = cell(readStored('hidden') !== null)

function toggleHidden(): void {
  hidden.set(!hidden.get())
  writeStored('hidden', hidden.get() ? '1' : null)
}

/** The one figure that a page is about, with a button that hides it and the others. */
export function HeadlineBalance({
  label,
  value,
  note,
}: {
  label: string
  value: string | undefined
  note?: ReactNode
}) {
  const t = useMessages('phone')
  const isHidden = useCell(hidden)
  return (
    <div>
      <IconButton
        icon={isHidden ? 'eyeOff' : 'eye'}
        label={isHidden ? t.show : t.hide}
        className="float-right -mt-3 -mb-2"
        onClick={toggleHidden}
      />
      <Stat
        size="large"
        label={label}
        value={<HideableAmount>{<Figure value={value} />}</HideableAmount>}
        note={note}
      />
    </div>
  )
}

/** An amount that can be hidden. */
export function HideableAmount({ children }: { children: ReactNode }) {
  const t = useMessages('phone')
  return useCell(hidden) ? (
    <>
      <span aria-hidden="true">••••••</span>
      <span className="sr-only">{t.hidden}</span>
    </>
  ) : (
    children
  )
}
