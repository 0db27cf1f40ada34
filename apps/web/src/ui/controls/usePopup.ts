import { type RefObject, useId, useRef, useState } from 'react'

/** Props to spread on the button of a popup. */
export interface TriggerProps {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'dialog' | 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onClick(): void
  onPointerEnter(): void
  onFocus(): void
}

/** A popup on a button: the props of both. `load` fetches its code when the button is hovered. */
export function usePopup(kind: 'dialog' | 'menu', load: () => Promise<unknown>) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  const trigger: TriggerProps = {
    ref: anchor,
    'aria-haspopup': kind,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onClick: () => setOpen(!open),
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
  }
  return { open, trigger, popup: { id, anchor, onClose: () => setOpen(false) } }
}
