import { SearchInput } from '../../ui/controls/SearchInput.tsx'
import type { AnyField, Values } from './fields.ts'
import type { Rules } from './search.ts'
import type { ListFilter } from './useListSearch.ts'

type BoxField = Extract<AnyField, { maxLength: number }>

export const isBox = (field: AnyField): field is BoxField => 'maxLength' in field

interface Props {
  field: BoxField
  filter: ListFilter
  rules: Rules
}

/** The search of a list, applied when typing pauses. */
export function SearchBox({ field: { by, ...box }, filter, rules }: Props) {
  const { values, set } = filter as ListFilter<Values>
  return (
    <SearchInput
      {...box}
      className="min-w-0 grow"
      value={values[by] ?? ''}
      onCommit={text => (text === '' || rules[by]?.(text)) && set({ [by]: text || undefined })}
    />
  )
}
