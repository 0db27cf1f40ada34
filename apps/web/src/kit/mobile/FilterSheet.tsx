import { useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { FilterFields } from '../list/Filters.tsx'
import type { AnyField, FilterValues } from '../list/fields.ts'
import type { SearchRules } from '../list/search.ts'
import type { ListFilter } from '../list/useListSearch.ts'

export interface FilterSheetProps {
  filter: ListFilter
  rules: SearchRules
  fields: readonly AnyField[]
  onClose(): void
}

/** The fields of a filter in a sheet, which change a draft until it is applied. */
export default function FilterSheet({ filter, rules, fields, onClose }: FilterSheetProps) {
  const t = useMessages('phone')
  const shell = useMessages('shell')
  const [values, setValues] = useState<FilterValues>(filter.values as FilterValues)
  const none = Object.fromEntries(Object.keys({ ...filter.values, ...values }).map(name => [name, undefined]))
  const set = (change: FilterValues) => setValues(before => ({ ...before, ...change }))
  const draft = { values, active: true, set, clear: () => set(none) }
  return (
    <Modal
      open
      title={t.filters}
      onClose={onClose}
      actions={
        <>
          <Button size="large" onClick={draft.clear}>
            {shell.clear}
          </Button>
          <Button
            size="large"
            look="primary"
            onClick={() => {
              onClose()
              filter.set({ ...none, ...values })
            }}
          >
            {t.showResults}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FilterFields filter={draft} rules={rules} fields={fields} />
      </div>
    </Modal>
  )
}
