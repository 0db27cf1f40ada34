import { useMessages } from '../../i18n/messages.ts'
import { closeToast, type ToastKind, toasts } from '../../lib/toast.ts'
import { useCell } from '../../lib/useCell.ts'
import { cx, popupClass } from '../classes.ts'
import { IconButton } from '../controls/Button.tsx'
import { Icon, type IconName } from '../icons.tsx'

const icons: Record<ToastKind, IconName> = { info: 'info', success: 'check', error: 'warning' }
const colours: Record<ToastKind, string> = { info: 'text-accent-text', success: 'text-good', error: 'text-bad' }

/**
 * Toasts at the top of the window, `high` over a header of the page. Large windows have them in a corner, beside a tall
 * dialog, and phones above the tab bar and a sheet's buttons, clear of titles. Screen readers announce them; errors
 * immediately.
 */
export function Toasts({ high }: { high?: boolean }) {
  const t = useMessages('common')
  const shown = useCell(toasts)
  return (
    <section
      aria-label={t.messages}
      // A live region is announced even while a dialog hides the rest of the page.
      aria-live="polite"
      data-toasts
      className={cx(
        'pointer-events-none fixed inset-x-4 z-50 flex flex-col items-center gap-2',
        high
          ? 'top-2'
          : 'top-4 lg:top-auto lg:bottom-4 lg:items-start pointer-coarse:top-auto pointer-coarse:bottom-[calc(80px+env(safe-area-inset-bottom))]',
      )}
    >
      {shown.map(toast => (
        <div
          key={toast.id}
          role={toast.kind === 'error' ? 'alert' : 'status'}
          className={cx(popupClass, 'pointer-events-auto flex max-w-md items-center gap-2 py-1.5 pr-1.5 pl-3 text-sm')}
        >
          <Icon name={icons[toast.kind]} className={cx('shrink-0', colours[toast.kind])} />
          <span className="min-w-0 py-1 break-words">{toast.text}</span>
          <IconButton size="small" icon="close" label={t.close} onClick={() => closeToast(toast.id)} />
        </div>
      ))}
    </section>
  )
}
