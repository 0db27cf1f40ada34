import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import type { MenuItem } from './MenuPopup.tsx'
import type { TriggerProps } from './Popover.tsx'

export type { MenuItem }

const load = () => import('./MenuPopup.tsx')
const MenuPopup = lazy(load)

interface Props {
  label: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  trigger(props: TriggerProps): ReactNode
}

/** A menu of actions or choices on a button. Its code is loaded when the button is hovered. */
export function Menu({ label, items, align, trigger }: Props) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
        onPointerEnter: () => void load(),
        onFocus: () => void load(),
      })}
      {open && (
        <Suspense fallback={null}>
          <MenuPopup id={id} label={label} anchor={anchor} align={align} items={items} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
