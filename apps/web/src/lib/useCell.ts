import { useSyncExternalStore } from 'react'
import type { Cell } from './cell.ts'

/** The value of a cell in a component, which is drawn again when it changes. */
export const useCell = <T>(source: Cell<T>): T => useSyncExternalStore(source.subscribe, source.get)
