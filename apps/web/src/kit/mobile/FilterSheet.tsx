import { type ReactNode, useState } from 'react'
import { useMessages } from '../../i18n/messages.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { ListFilter } from '../list/useListSearch.ts'

interface Props<F> {
  filter: ListFilter<F>
  onClose(): void
  fields(draft: ListFilter<F>): ReactNode
}

/** The fields of a filter in a sheet. */
export default function FilterSheet<F extends object>({ filter, onClose, fields }: Props<F>) {
  const t = useMessages('phone')
  const common = useMessages('common')
  const [values, setValues] = useState(filter.values)
  const none = Object.fromEntries(Object.keys({ ...filter.values, ...values }).map(name => [name, undefined]))
  const set = (change: Partial<F>) => setValues(before => ({ ...before, ...change }))
  const draft = { values, active: true, set, clear: () => set(none as Partial<F>) }
  return (
    <Modal
      open
      title={t.filters}
      onClose={onClose}
      actions={
        <>
          <Button size="large" onClick={draft.clear}>
            {common.clear}
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
      <div className="flex flex-col gap-4">{fields(draft)}</div>
    </Modal>
  )
}
