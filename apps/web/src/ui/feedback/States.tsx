import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { cx } from '../classes.ts'
import { Button } from '../controls/Button.tsx'
import { Icon, type IconName } from '../icons.tsx'

/** A placeholder that reserves the space of loading content. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={cx(
      'block animate-pulse bg-sunken motion-reduce:animate-none',
      !className?.includes('rounded') && 'rounded-sm',
      className ?? 'h-4 w-24',
    )}
  />
)

interface EmptyProps {
  title?: string | undefined
  text?: string | undefined
  icon?: IconName
  action?: ReactNode
}

/** Empty state with an optional action, centred vertically in a flex column. */
export function Empty({ title, text, icon = 'list', action }: EmptyProps) {
  const t = useMessages('common')
  return (
    <div className="my-auto flex flex-col items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Icon name={icon} />
      </span>
      <p className="text-sm font-medium">{title ?? t.nothingHere}</p>
      {text && <p className="max-w-md text-[13px] text-ink-3">{text}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}

/**
 * Error state with the server's message and a retry button. Code 403 is shown as not found.
 */
export function ErrorState({ error, onRetry }: { error?: Error | null; onRetry?(): void }) {
  const t = useMessages('common')
  const refused = error?.name === 'RequestRefused' ? (error as Error & { code: number }) : null
  const hidden = refused?.code === forbiddenCode
  return (
    <div role="alert" className="my-auto flex flex-col items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 flex size-10 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Icon name="warning" />
      </span>
      <p className="text-sm font-medium">{hidden ? t.noMatch : t.couldNotLoad}</p>
      <p className="max-w-md text-[13px] text-ink-3">{hidden ? t.notFound : refused?.message || t.checkConnection}</p>
      {onRetry && !hidden && (
        <Button className="mt-4" icon="refresh" onClick={onRetry}>
          {t.tryAgain}
        </Button>
      )}
    </div>
  )
}

const forbiddenCode = 403

interface LoadingProps {
  of: { error: Error | null; refetch(): unknown }
  /** Class of the placeholder, with its size. */
  className: string
}

/** What stands in place of data that has not arrived: why it could not be loaded, or a placeholder. */
export const Loading = ({ of: { error, refetch }, className }: LoadingProps) =>
  error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton className={className} />
