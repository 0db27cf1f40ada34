import { Drawer } from '@base-ui/react/drawer'
import { useRef } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../../ui/classes.ts'
import { IconButton } from '../../ui/controls/Button.tsx'
import { confirm } from '../../ui/feedback/confirm.ts'
import type { DialogProps } from '../../ui/feedback/DialogPopup.tsx'
import { useCloseOnBack } from './useCloseOnBack.ts'

const firstField = 'form :is(input, select, textarea):enabled'

/** A dialog on a phone: a sheet at the bottom, or, for details, a whole page with a way back. */
export default function DialogPopup(props: DialogProps) {
  const { title, text, onClose, children, actions, side = 'centre', flush, keep, initialFocus, addressed } = props
  const shell = useMessages('shell')
  const popup = useRef<HTMLDivElement>(null)
  const typed = useRef(false)
  const whole = side === 'end'
  /** What was typed into a form is not lost without a question. */
  const leave = async () => {
    const question = { title: shell.discardTitle, text: shell.discardText, action: shell.discard, danger: true }
    if (!typed.current || (await confirm(question))) onClose()
  }
  useCloseOnBack(() => void leave(), addressed)
  return (
    <Drawer.Root
      open
      swipeDirection={whole ? 'right' : 'down'}
      disablePointerDismissal={keep ?? false}
      onOpenChange={(open, details) => {
        const target = details.event.target as Element | null
        // Closing a toast above the sheet is not a press outside, and a question above it handles its own closing.
        if (open || target?.closest?.('[data-toasts]')) return
        const other = target?.closest?.('[role=dialog]')
        if (other && other !== popup.current) return
        // Kept where it is until the question is answered.
        details.cancel()
        void leave()
      }}
    >
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-30 bg-overlay opacity-[calc(1-var(--drawer-swipe-progress))]" />
        <Drawer.Viewport className={cx('fixed inset-0 z-30 flex', whole ? 'justify-end' : 'items-end')}>
          <Drawer.Popup
            ref={popup}
            initialFocus={initialFocus ?? (() => popup.current?.querySelector<HTMLElement>(firstField) ?? true)}
            onInput={event => {
              if ((event.target as Element).closest('form')) typed.current = true
            }}
            className={cx(
              'flex w-full flex-col bg-surface wrap-anywhere text-ink outline-none',
              whole
                ? 'h-dvh translate-x-(--drawer-swipe-movement-x) pt-[env(safe-area-inset-top)]'
                : 'max-h-[92dvh] translate-y-(--drawer-swipe-movement-y) rounded-t-[16px] shadow-popup',
            )}
          >
            {!whole && <span aria-hidden="true" className="mx-auto mt-2 h-1 w-9 rounded-full bg-line-strong" />}
            <Drawer.Content className="flex min-h-0 grow flex-col">
              <Heading title={title} text={text} whole={whole} onLeave={() => void leave()} />
              <div
                className={cx(
                  'relative min-h-0 grow overflow-y-auto overscroll-contain',
                  flush ? 'pt-3' : cx('px-4 pb-5', whole ? 'pt-4' : 'pt-1'),
                  !actions && 'pb-[max(20px,env(safe-area-inset-bottom))]',
                )}
              >
                {children}
              </div>
              {actions && (
                <div className="flex flex-wrap gap-2 border-t *:min-w-0 *:flex-[1_1_120px] border-line px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]">
                  {actions}
                </div>
              )}
            </Drawer.Content>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}

interface HeadingProps extends Pick<DialogProps, 'title' | 'text'> {
  whole: boolean
  onLeave(): void
}

/** The title, with the way back of a page or the cross of a sheet. */
function Heading({ title, text, whole, onLeave }: HeadingProps) {
  const { close } = useMessages('common')
  const { back } = useMessages('phone')
  return (
    <div className={cx('flex items-start', whole ? 'gap-1 border-b border-line px-1 py-1' : 'px-4 pt-2 pb-3')}>
      {whole && <IconButton icon="chevronLeft" label={back} onClick={onLeave} />}
      <div className="min-w-0 grow self-center">
        <Drawer.Title className="text-[17px] leading-7 font-semibold">{title}</Drawer.Title>
        {text && <Drawer.Description className="text-[13px] text-ink-2">{text}</Drawer.Description>}
      </div>
      {!whole && <IconButton icon="close" label={close} onClick={onLeave} />}
    </div>
  )
}
