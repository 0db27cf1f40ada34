import type { ReactNode } from 'react'
import { NoValue } from './Values.tsx'

/** A list of labelled values, as in a details drawer. */
export const DetailList = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="divide-y divide-line text-sm">
    {rows.map(([name, value]) => (
      <div key={name} className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-0.5 py-2">
        <dt className="text-ink-3">{name}</dt>
        <dd className="ml-auto max-w-full min-w-0 text-right break-words">{value || <NoValue />}</dd>
      </div>
    ))}
  </dl>
)
