import { useSyncExternalStore } from 'react'
import type { Cell } from './cell.ts'

/** Subscribes a component to a cell. */
export const useCell = <T>(source: Cell<T>): T => useSyncExternalStore(source.subscribe, source.get)
