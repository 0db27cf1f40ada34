import { lazy, type ReactNode, Suspense } from 'react'
import { type TriggerProps, usePopup } from './usePopup.ts'

const load = () => import('./PopoverPopup.tsx')
const PopoverPopup = lazy(load)

interface Props {
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
  trigger(props: TriggerProps): ReactNode
  children(close: () => void): ReactNode
}

/** A popover on a button. */
export function Popover({ label, align, className, trigger, children }: Props) {
  const { open, popup, ...button } = usePopup('dialog', load)
  return (
    <>
      {trigger(button.trigger)}
      {open && (
        <Suspense fallback={null}>
          <PopoverPopup {...popup} label={label} {...(align && { align })} className={className}>
            {children(popup.onClose)}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  )
}
