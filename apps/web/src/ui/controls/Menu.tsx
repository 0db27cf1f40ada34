import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import type { IconName } from '../icons.tsx'
import type { TriggerProps } from './Popover.tsx'

const load = () => import('./MenuPopup.tsx')
const MenuPopup = lazy(load)

export interface MenuItem {
  key: string
  label: string
  icon?: IconName
  /** Given for choices: whether this is the one in use. */
  checked?: boolean
  disabled?: boolean
  danger?: boolean
  /** When the label is in another language than the page. */
  lang?: string
  onSelect(): void
}

interface Props {
  label: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  trigger(props: TriggerProps): ReactNode
}

/** A list of actions or choices on a button. The code is fetched when the button is pointed at. */
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
