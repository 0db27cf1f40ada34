import { SearchInput } from '../../ui/controls/SearchInput.tsx'
import type { AnyField, FilterValues } from './fields.ts'
import type { SearchRules } from './search.ts'
import type { ListFilter } from './useListSearch.ts'

type BoxField = Extract<AnyField, { maxLength: number }>

export const isSearchBoxField = (field: AnyField): field is BoxField => 'maxLength' in field

interface Props {
  field: BoxField
  filter: ListFilter
  rules: SearchRules
}

/** The search of a list, applied when typing pauses. */
export function SearchBox({ field: { by, ...box }, filter, rules }: Props) {
  const { values, set } = filter as ListFilter<FilterValues>
  return (
    <SearchInput
      {...box}
      className="min-w-0 grow"
      value={values[by] ?? ''}
      onCommit={text => (text === '' || rules[by]?.(text)) && set({ [by]: text || undefined })}
    />
  )
}
