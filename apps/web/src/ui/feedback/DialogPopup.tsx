import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../classes.ts'
import { IconButton } from '../controls/Button.tsx'
import { confirm } from './confirm.ts'

export interface DialogProps {
  title: string
  text?: ReactNode
  /** Called on Escape, the close button or a press outside. */
  onClose(): void
  children?: ReactNode
  /** Buttons in the footer. */
  actions?: ReactNode
  /** `fit`: as wide as its contents, for a picture. */
  size?: 'small' | 'medium' | 'large' | 'fit'
  side?: 'centre' | 'end'
  /** No padding, for contents that bring their own (a table). */
  flush?: boolean
  /** Keeps the dialog open on a press outside, for forms and for secrets shown only once. */
  keep?: boolean
  initialFocus?: RefObject<HTMLElement | null>
  /** It is open because of the URL, so that going back closes it by itself. */
  addressed?: boolean
}

const firstField = 'form :is(input, select, textarea):enabled'

const widths = {
  small: 'max-w-[400px]',
  medium: 'max-w-[520px]',
  large: 'max-w-[880px]',
  fit: 'max-w-[calc(100vw-32px)] min-w-60',
}

const places = {
  centre: 'top-1/2 left-1/2 max-h-[calc(100dvh-48px)] -translate-x-1/2 -translate-y-1/2 rounded-lg',
  end: 'top-0 right-0 h-dvh w-full sm:w-[calc(100vw-64px)]',
}

/** The open dialog, loaded on first use. */
export default function DialogPopup(props: DialogProps) {
  const { title, text, onClose, children, actions, size = 'medium', side = 'centre', flush, keep, initialFocus } = props
  const t = useMessages('common')
  const shell = useMessages('shell')
  const popup = useRef<HTMLDivElement>(null)
  const typed = useRef(false)
  /** What was typed into a form is not lost without a question. */
  const leave = async () => {
    const question = { title: shell.discardTitle, text: shell.discardText, action: shell.discard, danger: true }
    if (!typed.current || (await confirm(question))) onClose()
  }
  return (
    <Dialog.Root
      open
      onOpenChange={(open, { event }) => {
        const target = event.target as Element | null
        // Closing a toast above the dialog is not a press outside, and a question above it handles its own Escape.
        if (open || target?.closest?.('[data-toasts]')) return
        const other = target?.closest?.('[role=dialog]')
        if (!other || other === popup.current) void leave()
      }}
      disablePointerDismissal={keep ?? false}
    >
      <Dialog.Portal>
        {/* Also over the drawer from which it was opened. */}
        <Dialog.Backdrop forceRender className="fixed inset-0 z-30 bg-overlay" />
        <Dialog.Popup
          ref={popup}
          // What must be entered comes before the button that closes.
          initialFocus={initialFocus ?? (() => popup.current?.querySelector<HTMLElement>(firstField) ?? true)}
          onInput={event => {
            if ((event.target as Element).closest('form')) typed.current = true
          }}
          className={cx(
            'fixed z-30 flex flex-col bg-surface wrap-anywhere text-ink shadow-popup outline-none',
            places[side],
            widths[size],
            side === 'centre' && (size === 'fit' ? 'w-max' : 'w-[calc(100vw-32px)]'),
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0">
              <Dialog.Title className="text-base leading-7 font-semibold">{title}</Dialog.Title>
              {text && <Dialog.Description className="text-[13px] text-ink-2">{text}</Dialog.Description>}
            </div>
            <IconButton icon="close" size="small" label={t.close} onClick={() => void leave()} />
          </div>
          <div className={cx('relative min-h-0 grow overflow-y-auto', flush ? '' : 'px-5 pt-1 pb-5')}>{children}</div>
          {actions && <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
