import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react'

const load = () => import('./PopoverPopup.tsx')
const PopoverPopup = lazy(load)

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

interface Props {
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
  trigger(props: TriggerProps): ReactNode
  children(close: () => void): ReactNode
}

/** A popover on a button. Its code is loaded when the button is hovered. */
export function Popover({ label, align, className, trigger, children }: Props) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => setOpen(false)
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: () => setOpen(!open),
        onPointerEnter: () => void load(),
        onFocus: () => void load(),
      })}
      {open && (
        <Suspense fallback={null}>
          <PopoverPopup
            id={id}
            label={label}
            anchor={anchor}
            {...(align && { align })}
            className={className}
            onClose={close}
          >
            {children(close)}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
