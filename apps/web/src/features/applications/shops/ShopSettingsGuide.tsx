import type { ShopProtocol } from '@coffer/contract/codes/shops.ts'
import { useState } from 'react'
import { useMessages } from '../../../i18n/messages.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { CopyButton } from '../../../ui/data/CopyText.tsx'
import { shopPrograms } from './programs.ts'

/** The values of a connection. The key is masked once it cannot be read any more. */
interface Given {
  url: string
  id: string
  key: string
}

interface Props {
  protocol: ShopProtocol
  given: Given
  /** Whether the key is whole, so that it can be copied. */
  whole: boolean
}

/** Draws the settings of a program that speaks a protocol, with each value in the field that takes it. */
export function ShopSettingsGuide({ protocol, given, whole }: Props) {
  const t = useMessages('shops')
  const known = shopPrograms[protocol]
  const [chosen, setChosen] = useState(0)
  const [name, place] = known[chosen]!
  const { at, fields, note } = t.places[place]
  return (
    <div className="flex flex-col gap-3">
      {known.length > 1 && (
        <Select
          aria-label={t.program}
          value={String(chosen)}
          options={known.map(([label], index) => ({ value: String(index), label }))}
          onChange={index => setChosen(Number(index))}
        />
      )}
      <figure className="overflow-hidden rounded-lg border border-line-strong bg-canvas">
        <figcaption className="flex items-center gap-2.5 border-b border-line bg-sunken px-3 py-2 text-xs text-ink-2">
          <svg aria-hidden="true" viewBox="0 0 28 8" className="h-2 w-7 shrink-0 fill-line-strong">
            <circle cx="4" cy="4" r="3.5" />
            <circle cx="14" cy="4" r="3.5" />
            <circle cx="24" cy="4" r="3.5" />
          </svg>
          <span className="min-w-0">
            <b className="font-semibold text-ink">{name}</b> {at}
          </span>
        </figcaption>
        <dl className="flex flex-col gap-3 p-3">
          {fields.map(([label, text]) => (
            <Entry key={label} label={label} text={text} given={given} whole={whole} />
          ))}
        </dl>
      </figure>
      {note && <p className="text-[13px] text-ink-2">{note}</p>}
    </div>
  )
}

/** A field of the program: what it is called there, and what to enter. Fixed words stand as they are. */
function Entry({ label, text, given, whole }: { label: string; text: string } & Omit<Props, 'protocol'>) {
  const t = useMessages('shops')
  const [, used] = /\{(url|id|key)\}/.exec(text) ?? []
  const value = text === '{empty}' ? '' : text.replace(/\{(url|id|key)\}/, (_, name: keyof Given) => given[name])
  return (
    <div>
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className="mt-1 flex min-h-9 items-center gap-2 rounded-md border border-line-strong bg-surface py-0.5 pr-1 pl-2.5">
        {value === '' ? (
          <span className="text-[13px] text-ink-3">{t.leftEmpty}</span>
        ) : (
          <span translate="no" className="min-w-0 grow py-1 font-mono text-[13px] break-all">
            {value}
          </span>
        )}
        {used && (
          <span className="shrink-0 rounded-sm bg-accent-soft px-1.5 py-0.5 text-[11px] font-medium text-accent-text max-sm:hidden">
            {t.tags[used as keyof Given]}
          </span>
        )}
        {value !== '' && (used !== 'key' || whole) && <CopyButton value={value} label={label} />}
      </dd>
    </div>
  )
}
