import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'

const controls = 'button:enabled, a[href], input:enabled, select:enabled'

const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>(controls)]

/** Lets Tab stop in a row at one control only. */
function stopAt(row: Element, stop: Element | undefined) {
  for (const control of controlsOf(row)) control.tabIndex = control === stop ? 0 : -1
}

/**
 * Makes each row of a table one stop of the Tab key: its first control, or the one that had the focus last. Left and
 * right arrow keys move between the controls of a row.
 */
export function useRowKeyboardNavigation(rows: unknown, columns: unknown) {
  const body = useRef<HTMLTableSectionElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are drawn from these
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? []) {
      const held = controlsOf(row)
      stopAt(row, held.find(each => each === document.activeElement) ?? held[0])
    }
  }, [rows, columns])
  return {
    body,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest('tr')
      if (row && target.matches(controls)) stopAt(row, target)
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const { key, target } = event
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      // Arrow keys within a text move its cursor.
      if (step === 0 || !(target instanceof HTMLElement) || target.matches('input:not([type=checkbox]), select')) return
      const row = target.closest('tr')
      const held = row ? controlsOf(row) : []
      const next = held[held.indexOf(target) + step]
      if (!held.includes(target) || !next) return
      event.preventDefault()
      next.focus()
    },
  }
}
