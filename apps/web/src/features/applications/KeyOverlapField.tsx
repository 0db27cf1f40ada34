import { type KeyOverlapSeconds, keyOverlapSeconds } from '@coffer/contract/codes.ts'
import { useMessages } from '../../i18n/messages.ts'
import { RadioGroup } from '../../ui/controls/Choice.tsx'

interface Props {
  legend: string
  value: KeyOverlapSeconds
  onChange(seconds: KeyOverlapSeconds): void
}

/** Chooses for how long a key or secret that is replaced stays valid. */
export function KeyOverlapField({ legend, value, onChange }: Props) {
  const { overlaps } = useMessages('applications')
  return (
    <RadioGroup
      legend={legend}
      value={String(value)}
      options={keyOverlapSeconds.map(seconds => ({ value: String(seconds), label: overlaps[seconds] }))}
      onChange={chosen => onChange(Number(chosen) as KeyOverlapSeconds)}
    />
  )
}
