import { lazy, type ReactNode, Suspense } from 'react'
import type { MenuItem } from './MenuPopup.tsx'
import { type TriggerProps, usePopup } from './usePopup.ts'

export type { MenuItem }

const load = () => import('./MenuPopup.tsx')
const MenuPopup = lazy(load)

interface Props {
  label: string
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  trigger(props: TriggerProps): ReactNode
}

/** A menu of actions or choices on a button. */
export function Menu({ label, items, align, trigger }: Props) {
  const { open, popup, ...button } = usePopup('menu', load)
  return (
    <>
      {trigger(button.trigger)}
      {open && (
        <Suspense fallback={null}>
          <MenuPopup {...popup} label={label} align={align} items={items} />
        </Suspense>
      )}
    </>
  )
}
