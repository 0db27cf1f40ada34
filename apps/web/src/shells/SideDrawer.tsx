import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { cx } from '../ui/classes.ts'

interface Props {
  label: string
  className: string
  onClose(): void
  children: ReactNode
}

/** A menu that slides over the page from its left edge. */
export const SideDrawer = ({ label, className, onClose, children }: Props) => (
  <Dialog.Root open onOpenChange={open => !open && onClose()}>
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-30 bg-overlay" />
      <Dialog.Popup
        aria-label={label}
        className={cx(
          'fixed inset-y-0 left-0 z-30 flex flex-col bg-surface text-ink shadow-popup outline-none',
          className,
        )}
      >
        {children}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
)
