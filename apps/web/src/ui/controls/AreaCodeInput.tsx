import { useMemo } from 'react'
import { language } from '../../i18n/language.ts'
import { type AreaCode, areaCodes, findAreaCode } from '../../lib/areaCodes.ts'
import { useCell } from '../../lib/useCell.ts'
import { Combobox } from './Combobox.tsx'
import type { ControlProps } from './Field.tsx'

interface Props extends Partial<ControlProps> {
  /** Digits without a plus; empty for none. */
  value: string
  onChange(code: string): void
  placeholder?: string
  disabled?: boolean
}

/** A calling code, searchable by number or region name. */
export function AreaCodeInput({ value, onChange, ...rest }: Props) {
  const inLanguage = useCell(language)
  const [items, text] = useMemo(() => {
    const names = new Intl.DisplayNames([inLanguage], { type: 'region' })
    const textOf = ({ region, code }: AreaCode) => `+${code} ${names.of(region)}`
    const nameOf = ({ region }: AreaCode) => names.of(region) ?? region
    return [[...areaCodes].sort((a, b) => nameOf(a).localeCompare(nameOf(b), inLanguage)), textOf] as const
  }, [inLanguage])
  return (
    <Combobox
      {...rest}
      value={findAreaCode(value)}
      items={items}
      text={text}
      itemKey={item => item.region}
      onChange={item => onChange(item?.code ?? '')}
    />
  )
}
