import type { ReactNode } from 'react'
import { Time } from '../../ui/data/Values.tsx'

interface Moment {
  key: string
  /** Who did what. */
  head: ReactNode
  text?: string
  time: number
  /** Drawn below the text. */
  more?: ReactNode
}

/** Who did what, as a sentence begins: without a name, the system or the command line did it. */
export const formatActorAction = (who: string, what: string) =>
  who ? `${who} ${what}` : what.charAt(0).toUpperCase() + what.slice(1)

/** What happened, newest first. */
export const Timeline = ({ of }: { of: readonly Moment[] }) => (
  <ol className="flex flex-col gap-3">
    {of.map(({ key, head, text, time, more }) => (
      <li key={key} className="border-l-2 border-line pl-3">
        <span className="flex flex-wrap gap-x-2 text-xs text-ink-3">
          <span className="wrap-anywhere">{head}</span>
          <Time seconds={time} />
        </span>
        {text && <span className="block text-sm wrap-anywhere whitespace-pre-wrap">{text}</span>}
        {more}
      </li>
    ))}
  </ol>
)
