import { Popover } from '@base-ui/react/popover'
import type { ReactNode, RefObject } from 'react'
import { cx, popupClass } from '../classes.ts'

export interface PopoverPopupProps {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  align?: 'start' | 'center' | 'end'
  onClose(): void
  className?: string | undefined
  children: ReactNode
}

/** The open popover, loaded on first use. */
export default function PopoverPopup({
  id,
  label,
  anchor,
  align = 'start',
  onClose,
  className,
  children,
}: PopoverPopupProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(open, details) => {
        // The trigger toggles the popover itself; ignore its press here.
        if (!open && !anchor.current?.contains(details.event.target as Node)) onClose()
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align={align} sideOffset={6} collisionPadding={8} className="z-40">
          <Popover.Popup id={id} aria-label={label} finalFocus={anchor} className={cx(popupClass, className)}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
