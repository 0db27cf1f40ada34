import { CopyText } from '../../ui/data/CopyText.tsx'

/** A value to copy into another program, with what it is for. */
export const Secret = ({ name, value, use }: { name: string; value: string; use?: string }) => (
  <div>
    <dt className="text-[13px] font-medium text-ink-2">{name}</dt>
    <dd className="mt-1 rounded-lg bg-sunken px-3 py-2 font-mono text-[13px]">
      <CopyText look="whole" value={value} label={name} />
    </dd>
    {use && <dd className="mt-1 text-xs text-ink-3">{use}</dd>}
  </div>
)
