import { queryClient } from '../api/query.ts'
import type { RouteData } from '../api/types.ts'
import { keepRefused } from '../lib/refused.ts'

/** Draws and asks for no more than the role includes; what the one before did not, and was asked for, is read again. */
export async function applyRole({ member }: RouteData<'GET /api/v1/user/info'>): Promise<void> {
  const calls = member?.refused ?? []
  // Who may do everything never loads what pages are for.
  const names = calls.length > 0 ? (await import('./RefusedPage.tsx')).addRefusedPages(calls) : calls
  if (keepRefused(names))
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}
