import { cell } from './cell.ts'

export type ToastKind = 'info' | 'success' | 'error'
export interface Toast {
  id: number
  kind: ToastKind
  text: string
}

const shownMs = 5_000
const shownAtOnce = 4
let lastId = 0

/** The toasts on screen, oldest first. Rendered by ui/feedback/Toasts.tsx. */
export const toasts = cell<readonly Toast[]>([])

/** Shows a toast for five seconds, or until it is closed. An identical toast is not shown twice at once. */
export function showToast(kind: ToastKind, text: string, { stays = false } = {}): void {
  if (toasts.get().some(toast => toast.text === text && toast.kind === kind)) return
  lastId += 1
  const toast: Toast = { id: lastId, kind, text }
  toasts.set([...toasts.get(), toast].slice(-shownAtOnce))
  if (!stays) setTimeout(() => closeToast(toast.id), shownMs)
}

const waiting = new Set<string>()

/**
 * Shows an error of the server, unless the form that sent the call shows it in a better place (`cancelErrorToast`)
 * before
 * this turn of the event loop ends.
 */
export function queueErrorToast(text: string): void {
  waiting.add(text)
  setTimeout(() => waiting.delete(text) && showToast('error', text))
}

export const cancelErrorToast = (text: string): boolean => waiting.delete(text)

/** Removes the toasts of a step that is over. */
export const closeToasts = (): void => toasts.set([])

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id))
}
