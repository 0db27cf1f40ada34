import { cell } from '../../lib/cell.ts'

/** The open question for a fresh code. Rendered by FreshHost. */
export const freshAsked = cell<{ answer(entered: boolean): void } | null>(null)

/** Asks for a fresh code of the authenticator; resolves with whether the session is fresh then. */
export const askFreshCode = (): Promise<boolean> =>
  new Promise(resolve => {
    freshAsked.get()?.answer(false)
    freshAsked.set({
      answer: entered => {
        freshAsked.set(null)
        resolve(entered)
      },
    })
  })
